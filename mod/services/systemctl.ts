/**
 * What systemd says of units: `systemctl show`, and what the exit codes of other verbs mean.
 *
 *     Id=php8.2-fpm.service
 *     LoadState=loaded
 *     ActiveState=active
 *     UnitFileState=enabled
 *     MainPID=900
 *     RequiredBy=
 *     BoundBy=shop-cache.service
 *     ConsistsOf=
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/systemctl.html
 */

/** How a unit stands. */
export interface UnitState {
  /** The unit's own name, also where it was asked for by an alias. */
  readonly id: string;
  /** `loaded`, `not-found`, `masked`, `bad-setting`, `error`. */
  readonly loadState: string;
  /** `active`, `inactive`, `failed`, `activating`, `deactivating`, `reloading`. */
  readonly activeState: string;
  /** `enabled`, `disabled`, `static`, `masked` and rarer ones; empty where there is no unit file. */
  readonly fileState: string;
  /** Pid of its main process; undefined when none runs. */
  readonly mainPid: number | undefined;
  /** Units that systemd stops when this one is down, however that came, and does not start again (`BindsTo=`). */
  readonly boundBy: readonly string[];
  /** Units that systemd stops when it stops this one, and does not start again (`Requires=`, `PartOf=`). */
  readonly stoppedWith: readonly string[];
}

/** Arguments of `systemctl` that show units, to be followed by their names. */
export const SHOW_ARGUMENTS: readonly string[] = [
  "show",
  "--no-pager",
  "--property=Id,LoadState,ActiveState,UnitFileState,MainPID,RequiredBy,BoundBy,ConsistsOf",
  "--",
];

/**
 * Exit code of `start`, `stop` and `reload` for a unit that is not there (5, "program is not installed", as
 * init scripts have it): whoever remembered that name remembered something older.
 */
const NOT_INSTALLED = 5;

/** Whether a unit that was to be started, stopped or reloaded is not there, which is no incident. */
export function isNotInstalled(exitCode: number): boolean {
  return exitCode === NOT_INSTALLED;
}

/** Load states of units that systemd refuses to start, whether they run or not. */
const NOT_STARTABLE: ReadonlySet<string> = new Set(["not-found", "bad-setting", "error", "masked"]);

/** Whether systemd would start a unit of this load state; one that is not known may be. */
export function isStartable(loadState: string): boolean {
  return !NOT_STARTABLE.has(loadState);
}

/**
 * Reads the output of `systemctl show`: a block for each unit, blocks apart by an empty line. Never throws.
 *
 * @returns One state for each block that names its unit; what it does not say is empty
 */
export function parseSystemctlShow(text: string): readonly UnitState[] {
  const states: UnitState[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const properties = new Map(
      block.split("\n").map((line) => {
        const equals = line.indexOf("=");
        return [line.slice(0, Math.max(equals, 0)), line.slice(equals + 1).trim()] as const;
      }),
    );
    const id = properties.get("Id") ?? "";
    if (id === "") continue;
    const namesIn = (property: string): readonly string[] =>
      (properties.get(property) ?? "").split(" ").filter((name) => name !== "");
    const mainPid = Number(properties.get("MainPID"));
    states.push({
      id,
      loadState: properties.get("LoadState") ?? "",
      activeState: properties.get("ActiveState") ?? "",
      fileState: properties.get("UnitFileState") ?? "",
      mainPid: Number.isSafeInteger(mainPid) && mainPid > 0 ? mainPid : undefined,
      boundBy: namesIn("BoundBy"),
      stoppedWith: [...namesIn("RequiredBy"), ...namesIn("ConsistsOf")],
    });
  }
  return states;
}
