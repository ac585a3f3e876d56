/** A proc root made by hand, for tests. */

/** A process in it. */
export interface TempProcess {
  readonly comm: string;
  readonly ppid?: number;
  readonly state?: string;
  readonly startTicks?: number;
  readonly userTicks?: number;
  readonly reapedTicks?: number;
  readonly rssPages?: number;
  /** Its path in cgroup v2. */
  readonly cgroup?: string;
  readonly argv?: readonly string[];
  /** In how many pid namespaces it has an id. */
  readonly depth?: number;
  /** `Cpus_allowed_list`. */
  readonly cpus?: string;
  readonly isKernelThread?: boolean;
}

/** The root. */
export interface TempProc extends AsyncDisposable {
  readonly root: string;
  /** Begins or replaces a process. */
  readonly put: (pid: number, what: TempProcess) => void;
  readonly end: (pid: number) => void;
  /** Writes a file below the root. */
  readonly write: (path: string, text: string) => void;
}

/** Makes an empty one. */
export async function tempProc(): Promise<TempProc> {
  const root = await Deno.makeTempDir();
  return {
    root,
    put(pid: number, process: TempProcess): void {
      Deno.mkdirSync(`${root}/${pid}`, { recursive: true });
      for (const [name, text] of Object.entries(filesOf(pid, process))) {
        Deno.writeTextFileSync(`${root}/${pid}/${name}`, text);
      }
    },
    end: (pid) => Deno.removeSync(`${root}/${pid}`, { recursive: true }),
    write(path: string, text: string): void {
      Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(`${root}/${path}`, text);
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

function filesOf(pid: number, process: TempProcess): Readonly<Record<string, string>> {
  const {
    comm,
    ppid = 1,
    state = "S",
    startTicks = 1_000 + pid,
    userTicks = 0,
    reapedTicks = 0,
    rssPages = 1,
  } = process;
  const flags = process.isKernelThread ? 0x0020_0000 : 4_194_304;
  const ids = Array.from({ length: process.depth ?? 1 }, (_, index) => index === 0 ? pid : 7).join("\t");
  return {
    stat:
      `${pid} (${comm}) ${state} ${ppid} ${pid} ${pid} 0 -1 ${flags} 0 0 0 0 ${userTicks} 0 ${reapedTicks} 0 ` +
      `20 0 1 0 ${startTicks} 98414592 ${rssPages} 0\n`,
    comm: `${comm}\n`,
    cgroup: `0::${process.cgroup ?? "/"}\n`,
    cmdline: (process.argv ?? [comm]).map((word) => `${word}\0`).join(""),
    status: `Name:\t${comm}\nTgid:\t${pid}\nNSpid:\t${ids}\nCpus_allowed_list:\t${
      process.cpus ?? "0-1023"
    }\n`,
  };
}
