import { assertEquals, assertStringIncludes } from "@std/assert";
import { BLOCK_CONF } from "../mod/nginx/block_conf.ts";
import type { CrawlerBlockPaths } from "../mod/nginx/crawler_block.ts";
import type { ProcessInfo, ProcessTable } from "../mod/processes/process.ts";
import { failed, ok, type Reading } from "../mod/reading.ts";
import { aProcess, aTable } from "../mod/testing/process.ts";
import { type Answer, answering, makeTempHost, type TempHost } from "./check/temp_host.ts";
import type { Clock } from "./clock.ts";
import type { RunCommand } from "./command.ts";
import { type BlockOutcome, setCrawlerBlock } from "./crawler_block.ts";
import { acquireNginxLock } from "./nginx/nginx_lock.ts";

const ROOT = "/run/loadweir/proc";

/** A host that systemd runs, with nginx as its unit; php-fpm is none of it. */
const HOST = {
  "/run/systemd/system/x": "",
  "/usr/bin/systemctl": { program: "" },
  "/lib/systemd/system/nginx.service": "[Service]\nExecStart=/usr/sbin/nginx -g x\n",
  "/etc/nginx/nginx.conf": "error_log stderr;\n",
  [`${ROOT}/10/cgroup`]: "0::/system.slice/nginx.service\n",
  [`${ROOT}/10/exe`]: { link: "/usr/sbin/nginx" },
  [`${ROOT}/10/stat`]: `10 (nginx) S 1 10 10 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 180010 1 1${
    " 0".repeat(28)
  }\n`,
  "/block/off.conf": BLOCK_CONF,
};

const RELOAD = "/usr/bin/systemctl reload -- nginx.service";
const HANG_UP = "/usr/bin/kill -HUP 10";
const TEST = "/usr/sbin/nginx -t -q";

function nginx(pid: number, title: string, ppid: number): ProcessInfo {
  return aProcess(pid, "nginx", { argv: [`nginx: ${title}`], ppid });
}

const MASTER = nginx(10, "master process /usr/sbin/nginx", 1);
const OLD = [MASTER, nginx(11, "worker process", 10)];
const NEW = [MASTER, nginx(11, "worker process is shutting down", 10), nginx(12, "worker process", 10)];

interface Scene {
  /** What programs answer. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** The command line after which nginx has new workers. */
  readonly reloads?: string;
  readonly processes?: readonly ProcessInfo[];
  readonly table?: Reading<ProcessTable>;
  /** Done to the host before. */
  readonly prepare?: (host: TempHost, paths: CrawlerBlockPaths) => void | Promise<void>;
}

/** What came of switching the block on. */
interface Played {
  readonly outcome: BlockOutcome;
  /** Commands that were run, but for those that only look. */
  readonly calls: readonly string[];
  /** What is in the folder of the block afterwards. */
  readonly names: readonly string[];
}

async function play(scene: Scene = {}): Promise<Played> {
  await using host = await makeTempHost(HOST);
  Deno.chmodSync(host.root, 0o755);
  const folder = `${host.root}/block`;
  const paths = { on: `${folder}/on.conf`, off: `${folder}/off.conf` };
  await scene.prepare?.(host, paths);
  const calls: string[] = [];
  let processes = scene.processes ?? OLD;
  const answer = answering({ [RELOAD]: {}, [HANG_UP]: {}, [TEST]: {}, ...scene.answers });
  const run: RunCommand = (program, args, options) => {
    const line = [program, ...args].join(" ");
    if (!line.includes(" show ")) calls.push(line);
    if (line === (scene.reloads ?? RELOAD)) processes = NEW;
    return answer(program, args, options);
  };
  const outcome = await setCrawlerBlock("on", "generic", {
    run,
    clock: waitingClock(),
    source: { kind: "proc-root", root: ROOT, name: "bind-mount" },
    host: host.files,
    processes: {
      read: () => Promise.resolve(scene.table ?? ok(aTable(processes))),
      isAlive: () => Promise.resolve(true),
      close(): void {},
    },
  }, { paths, lockPath: `${host.root}/state/nginx.lock` });
  return { outcome, calls, names: [...Deno.readDirSync(folder)].map(({ name }) => name).sort() };
}

function waitingClock(): Clock {
  let now = 1_000;
  return {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep: (ms) => Promise.resolve().then(() => void (now += ms)),
  };
}

Deno.test("setCrawlerBlock() reloads the unit of nginx and looks at what became of it", async () => {
  const { outcome, calls, names } = await play();
  assertEquals(calls, [TEST, RELOAD]);
  assertEquals([outcome.kind, outcome.state, outcome.failure, names], ["switched", "on", undefined, [
    "on.conf",
  ]]);
  assertEquals(
    outcome.text,
    "crawler block on: unit nginx.service, new workers after 50 ms, seen by its workers alone: " +
      "no log file of it is known",
  );
  assertEquals(outcome.reloadedAtMs, 1_000);
});

Deno.test("setCrawlerBlock() signals the master when systemctl fails, hangs or does nothing", async () => {
  const rows: readonly (readonly [Answer, string])[] = [
    [
      { code: 1, stderr: "Job type reload is not applicable\n" },
      "exited 1: Job type reload is not applicable",
    ],
    [{ code: 137, timedOut: true }, "gave no answer within 15000 ms"],
    [{}, "did nothing in 5000 ms"],
  ];
  for (const [answer, why] of rows) {
    const { outcome, calls } = await play({ answers: { [RELOAD]: answer }, reloads: HANG_UP });
    assertEquals(calls, [TEST, RELOAD, HANG_UP]);
    assertEquals(outcome.kind, "switched");
    assertStringIncludes(outcome.text, "SIGHUP to 10, since ");
    assertStringIncludes(outcome.text, why);
  }
});

Deno.test("setCrawlerBlock() takes no worker that could not be read before for a new one", async () => {
  const unread = { ...nginx(13, "", 10), argv: undefined };
  const { outcome, calls, names } = await play({ processes: [...OLD, unread] });
  assertEquals([outcome.failure, calls, names], ["reload-not-sent", [TEST], ["off.conf"]]);
  assertStringIncludes(outcome.text, "what process 13 of nginx does could not be read");
});

Deno.test("setCrawlerBlock() signals no process that got the pid of the master", async () => {
  const { outcome, calls, names } = await play({
    answers: { [RELOAD]: { code: 1 } },
    prepare: ({ root }) =>
      Deno.writeTextFileSync(`${root}${ROOT}/10/stat`, HOST[`${ROOT}/10/stat`].replace("180010", "999999")),
  });
  assertEquals(calls, [TEST, RELOAD]);
  assertEquals([outcome.failure, names], ["reload-not-sent", ["off.conf"]]);
  assertStringIncludes(outcome.text, "master 10 has ended");
});

Deno.test("setCrawlerBlock() takes back what was not taken, and says that nothing came of it", async () => {
  const { outcome, calls, names } = await play({ reloads: "nothing" });
  assertEquals(calls, [TEST, RELOAD, HANG_UP, RELOAD, HANG_UP]);
  assertEquals([outcome.failure, outcome.state, names], ["reload-not-taken", "off", ["off.conf"]]);
  assertStringIncludes(outcome.text, "no new worker within 15000 ms");
  assertStringIncludes(outcome.text, "off.conf restored, nginx serves as before");
});

Deno.test("setCrawlerBlock() takes the file back when nginx -t hangs", async () => {
  const { outcome, calls, names } = await play({ answers: { [TEST]: { code: 137, timedOut: true } } });
  assertEquals([outcome.failure, calls, names], ["config-refused", [TEST], ["off.conf"]]);
  assertStringIncludes(outcome.text, '"nginx -t" gave no answer within 30000 ms');
});

Deno.test("setCrawlerBlock() does nothing while it cannot tell whether nginx runs", async () => {
  const rows: readonly (readonly [Scene, string])[] = [
    [{ table: failed("Cannot list the processes") }, "Cannot list the processes"],
    [{ processes: [{ ...MASTER, argv: undefined }] }, "what process 10 of nginx does could not be read"],
  ];
  for (const [scene, why] of rows) {
    const { outcome, calls, names } = await play(scene);
    assertEquals([outcome.failure, calls, names], ["nginx-unknown", [], ["off.conf"]]);
    assertStringIncludes(outcome.text, why);
  }
});

Deno.test("setCrawlerBlock() tests and only renames when no nginx is under a unit of the host", async () => {
  const container = { ...MASTER, namespaceDepth: 2 };
  for (const processes of [[], [container, nginx(11, "worker process", 10)]]) {
    const { outcome, calls, names } = await play({ processes });
    assertEquals([outcome.kind, calls, names], ["renamed", [TEST], ["on.conf"]]);
  }
});

Deno.test("setCrawlerBlock() refuses what is not there once, or not to be trusted", async () => {
  const rows: readonly (readonly [BlockOutcome["failure"], Scene["prepare"]])[] = [
    ["absent", (_, { off }) => Deno.removeSync(off)],
    ["both", (_, { on }) => Deno.writeTextFileSync(on, "")],
    ["distrusted", (_, { off }) => {
      Deno.removeSync(off);
      Deno.symlinkSync("/etc/passwd", off);
    }],
  ];
  for (const [failure, prepare] of rows) {
    const { outcome, calls } = await play(prepare === undefined ? {} : { prepare });
    assertEquals([outcome.kind, outcome.failure, calls], ["failed", failure, []], outcome.text);
  }
});

Deno.test("setCrawlerBlock() waits for another one, and gives up", async () => {
  const locks: { readonly release: () => void }[] = [];
  const { outcome, calls, names } = await play({
    async prepare({ root }): Promise<void> {
      const lock = await acquireNginxLock(`${root}/state/nginx.lock`, waitingClock(), 0);
      if (lock.kind === "ok") locks.push(lock.value);
    },
  });
  for (const lock of locks) lock.release();
  assertEquals([outcome.failure, calls, names], ["locked", [], ["off.conf"]]);
  assertStringIncludes(outcome.text, "another process has held it for 20000 ms");
});
