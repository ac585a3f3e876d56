/** What loadweir could not do on a host that it can guard, and what would mend that. */

import { standInText } from "../config/stand_in.ts";
import { type CrawlerBlockFlaw, type CrawlerBlockPaths, maybeFlawOf } from "../nginx/crawler_block.ts";
import { whyMissing } from "../reading.ts";
import { bringsProcRoot, type CheckFindings, type ServiceFinding } from "./findings.ts";

/** What is limited. A closed list, so that limits can be counted. */
export type LimitCode =
  | "config-unusable"
  | "crawler-block"
  | "not-restartable"
  | "not-stoppable"
  | "no-signals"
  | "no-processes"
  | "no-iowait"
  | "not-root"
  | "permissions";

/** One limit. */
export interface Limit {
  readonly code: LimitCode;
  /** What cannot be done and why, one line, lower case. */
  readonly text: string;
}

/** All limits, those of the gentlest tier first. Never throws. */
export function limitsOf(findings: CheckFindings): readonly Limit[] {
  const { config, host, sensors, web, sandbox } = findings;
  const limits: Limit[] = [];
  const add = (code: LimitCode, text: string): void => void limits.push({ code, text });

  const hasProcRoot = sensors.procRoot !== undefined || bringsProcRoot(findings);
  const { standIn } = config;
  if (standIn !== undefined) {
    add("config-unusable", `${standInText(standIn)} until the configuration is mended`);
  }
  const { paths, state, include } = findings.block;
  const flaw = maybeFlawOf(paths, state, include);
  if (flaw !== undefined) add("crawler-block", `SPIDER cannot block crawlers: ${flawText(flaw, paths)}`);
  for (const service of web.services) {
    if (isMasked(service)) {
      add("not-restartable", `${service.file?.name} is masked: nothing could start it again`);
    }
    if (service.masters.length > 0 && service.file === undefined && !hasProcRoot) {
      add(
        "not-stoppable",
        `${service.kind} cannot be paused: it has no unit or script, and there is no proc root`,
      );
    }
  }
  if (sensors.processes.kind !== "ok") {
    add("no-processes", `no backup and no runaway is seen: ${whyMissing(sensors.processes)}`);
  } else if (!hasProcRoot) {
    add(
      "no-signals",
      "CRIT pauses the web and ends no runaway: without a proc root no process is ever signalled",
    );
  }
  const iowait = sensors.sample.gate?.iowaitPercent;
  if (iowait !== undefined && iowait.kind !== "ok") {
    add("no-iowait", `a backup is not spared, because iowait is unknown: ${whyMissing(iowait)}`);
  }
  if (!host.isRoot) add("not-root", "not all can be seen, because this is not root: run it with sudo");
  if (sandbox.whole.length > 0) {
    add("permissions", `the sandbox is open: ${sandbox.whole.join(", ")} granted whole, as by --allow-all`);
  }
  if (sandbox.missing.length > 0) {
    const [first] = sandbox.missing;
    const others = sandbox.missing.length - 1;
    add(
      "permissions",
      `the sandbox lacks ${first?.kind} ${first?.value}${
        others === 0 ? "" : ` and ${others} more`
      } of its list`,
    );
  }
  return limits;
}

function isMasked({ file }: ServiceFinding): boolean {
  return file?.state?.loadState === "masked" || file?.state?.fileState === "masked";
}

function flawText(flaw: CrawlerBlockFlaw, { on, off }: CrawlerBlockPaths): string {
  const line = `include ${on.replace(/onf$/, "*")};`;
  switch (flaw) {
    case "absent":
      return `there is no ${off}, put the block there and ${line} into each server`;
    case "both":
      return `${on} and ${off} are both there, remove one`;
    case "not-included":
      return `nginx does not load the file, put ${line} into each server`;
    case "plain-include":
      return `nginx would not start while it is off, put ${line} in place of the path`;
    case "always-on":
      return `nginx loads the file also while it is off, put ${line} in place of the pattern`;
  }
}
