import { assert, assertEquals, assertMatch } from "@std/assert";
import type { HookName, HookPayload } from "../mod/hooks/hook.ts";
import { INCIDENT_WALL_MS } from "../mod/testing/incident.ts";
import { testNeeding } from "../test/needs.ts";
import { type CommandResult, runCommand } from "./command.ts";
import { createHookRunner, hookFailureText, type HookOutcome, runHook } from "./hooks.ts";

const PAYLOAD: HookPayload = {
  wallMs: INCIDENT_WALL_MS,
  host: "web-1",
  tier: "max",
  load1Percent: 671,
  load5Percent: 455,
  reason: "confirmed",
  details: ["stopped nginx"],
  incidentId: "20261129T193114Z",
};

const NOBODY = 65534;

/** Runs a test in a folder of hooks. */
async function withHooks(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function write(folder: string, name: HookName, script: string, mode = 0o755): string {
  const path = `${folder}/${name}`;
  Deno.writeTextFileSync(path, `#!/bin/sh\n${script}\n`);
  Deno.chmodSync(path, mode);
  return path;
}

async function run(folder: string, name: HookName, deadlineMs = 10_000, asRoot = true): Promise<HookOutcome> {
  return await runHook(name, PAYLOAD, { run: runCommand, folder, deadlineMs, asRoot });
}

/** Why a hook was refused, without the path. */
async function refusalOf(folder: string, asRoot = true): Promise<string> {
  const outcome = await run(folder, "pause", 10_000, asRoot);
  if (outcome.kind !== "refused") return `not refused but ${outcome.kind}`;
  return outcome.error.replaceAll(`${folder}/pause`, "PATH").replaceAll(folder, "FOLDER");
}

testNeeding(["root"], "runHook() gives the hook one JSON object and a fixed environment", async () => {
  await withHooks(async (folder) => {
    write(folder, "pause", 'cat; echo "$#"; env | grep -v ^PWD= | sort; echo oops >&2; exit 3');
    Deno.env.set("LOADWEIR_SECRET", "x");
    const outcome = await run(folder, "pause");
    Deno.env.delete("LOADWEIR_SECRET");
    assert(outcome.kind === "ran", outcome.kind);
    const [json = "", ...others] = outcome.output.split("\n");
    assertEquals(JSON.parse(json), {
      hook: "pause",
      version: 1,
      host: "web-1",
      at: "2026-11-29T19:31:14Z",
      tier: "max",
      load1Pct: 671,
      load5Pct: 455,
      reason: "confirmed",
      details: ["stopped nginx"],
      incident: "20261129T193114Z",
      instance: null,
    });
    assertEquals(others, ["0", "LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "oops"]);
    assertEquals(outcome.code, 3);
  });
});

Deno.test("runHook() does nothing where there is no such hook", async () => {
  await withHooks(async (folder) => assertEquals(await run(folder, "pause"), { kind: "absent" }));
  assertEquals(await run("/nonexistent/hooks", "pause"), { kind: "absent" });
});

testNeeding(["root"], "runHook() refuses what others could have written, each time it is asked", async () => {
  await withHooks(async (folder) => {
    const path = write(folder, "pause", 'touch "$0.ran"');
    assertEquals((await run(folder, "pause")).kind, "ran");
    Deno.removeSync(`${path}.ran`);
    Deno.chownSync(path, NOBODY, 0);
    assertEquals(
      await refusalOf(folder),
      "Cannot run PATH: owned by uid 65534, expected root (run: chown root: PATH)",
    );
    Deno.chownSync(path, 0, 0);
    for (const [mode, shown] of [[0o775, "775"], [0o757, "757"]] as const) {
      Deno.chmodSync(path, mode);
      assertEquals(
        await refusalOf(folder),
        `Cannot run PATH: mode is ${shown}, so that others may write it (run: chmod go-w PATH)`,
      );
    }
    Deno.chmodSync(path, 0o644);
    assertEquals(await refusalOf(folder), "Cannot run PATH: not executable (run: chmod u+x PATH)");
    Deno.chmodSync(path, 0o755);
    Deno.chmodSync(folder, 0o777);
    assertMatch(await refusalOf(folder), /^Cannot run PATH: in folder FOLDER: mode is 777/);
    Deno.chmodSync(folder, 0o755);
    Deno.chownSync(folder, NOBODY, 0);
    assertMatch(await refusalOf(folder), /^Cannot run PATH: in folder FOLDER: owned by uid 65534/);
    Deno.chownSync(folder, 0, 0);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["pause"], "a refused hook was run");
    assertEquals((await run(folder, "pause")).kind, "ran", "it is fine again");
  });
});

testNeeding(["root"], "runHook() refuses links, folders and pipes", async () => {
  await withHooks(async (folder) => {
    const path = `${folder}/pause`;
    Deno.symlinkSync("/bin/true", path);
    assertEquals(
      await refusalOf(folder, false),
      "Cannot run PATH: a link, expected the program itself, or a script that starts it",
    );
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    assertEquals(await refusalOf(folder), "Cannot run PATH: not a regular file");
    Deno.removeSync(path);
    await new Deno.Command("mkfifo", { args: ["-m", "755", path] }).output();
    assertEquals(await refusalOf(folder), "Cannot run PATH: not a regular file");
  });
  await withHooks(async (folder) => {
    Deno.mkdirSync(`${folder}/real`);
    write(`${folder}/real`, "pause", ":");
    Deno.symlinkSync(`${folder}/real`, `${folder}/link`);
    assertMatch(await refusalOf(`${folder}/link`), /FOLDER, which is a link, expected a folder$/);
  });
});

testNeeding(
  ["root"],
  "runHook() kills a hook at its deadline, with its children, and nothing else",
  async () => {
    await withHooks(async (folder) => {
      const innocent = new Deno.Command("/usr/bin/sleep", { args: ["60"] }).spawn();
      write(folder, "pause", "trap '' TERM; sleep 300 & echo $! $$; sleep 300");
      const outcome = await run(folder, "pause", 300);
      assert(outcome.kind === "timed-out", outcome.kind);
      const [child = 0, hook = 0] = outcome.output.split(" ").map(Number);
      assert(child > 1 && hook > 1, outcome.output);
      assertEquals(await stateSoon(child, "gone"), "gone");
      assertEquals(await stateSoon(innocent.pid, "S"), "S");
      innocent.kill("SIGKILL");
      await innocent.status;
      // The runtime collects the hook, and the program that killed it, a little later.
      while (await isThere(`/proc/${hook}`)) await pause(10);
      await pause(100);
    });
  },
);

testNeeding(["root"], "runHook() keeps the end of a flood of output", async () => {
  await withHooks(async (folder) => {
    write(folder, "kill", "head -c 20000000 /dev/zero | tr '\\0' x; echo end");
    const outcome = await run(folder, "kill");
    assert(outcome.kind === "ran", outcome.kind);
    assertEquals([outcome.code, outcome.output.length], [0, 2_000]);
    const failure = hookFailureText("kill", { ...outcome, code: 1 }) ?? "";
    assertEquals([failure.length < 2_100, failure.includes("\n")], [true, false]);
  });
});

testNeeding(["root"], "runHook() says what is wrong with a program that cannot be started", async () => {
  await withHooks(async (folder) => {
    Deno.writeTextFileSync(`${folder}/pause`, "#!/nonexistent/interpreter\n", { mode: 0o755 });
    const outcome = await run(folder, "pause");
    assert(outcome.kind === "ran", outcome.kind);
    assertEquals(outcome.code, 127);
    assertMatch(hookFailureText("pause", outcome) ?? "", /^hook pause exited 127: /);
  });
});

Deno.test("hookFailureText() says nothing of what went well", () => {
  assertEquals(hookFailureText("pause", { kind: "absent" }), undefined);
  assertEquals(hookFailureText("pause", { kind: "ran", code: 0, output: "x", tookMs: 1 }), undefined);
  assertEquals(
    hookFailureText("pause", { kind: "timed-out", output: "", deadlineMs: 30_000 }),
    "hook pause killed after 30000 ms",
  );
  assertEquals(hookFailureText("fanout", { kind: "skipped", error: "x" }), "hook fanout left out: x");
});

/** Hooks that a test ends itself; each file in the folder is one. */
function bench(folder: string): {
  readonly started: string[];
  readonly reports: string[];
  readonly end: () => Promise<void>;
  readonly runner: ReturnType<typeof createHookRunner>;
} {
  const started: string[] = [];
  const reports: string[] = [];
  const running: (() => void)[] = [];
  const runner = createHookRunner({
    folder,
    deadlineMs: 1000,
    asRoot: false,
    run: async (path, _args, { stdin = "{}" }): Promise<CommandResult> => {
      const { details } = JSON.parse(stdin) as { details: readonly string[] };
      started.push([path.split("/").at(-1), ...details].join(" "));
      await new Promise<void>((resolve) => running.push(resolve));
      return { code: 0, stdout: "", stderr: "", timedOut: false, tookMs: 1 };
    },
    report: (name, outcome) => reports.push(`${name} ${outcome.kind}`),
  });
  return {
    started,
    reports,
    runner,
    end: async () => {
      running.shift()?.();
      await pause(20);
    },
  };
}

Deno.test("createHookRunner() runs one hook of a name at a time, and resume never beside pause", async () => {
  await withHooks(async (folder) => {
    for (const name of ["pause", "resume", "incident"] as const) write(folder, name, ":");
    const { started, end, runner, reports } = bench(folder);
    for (const name of ["pause", "resume", "pause", "incident"] as const) {
      runner.start(name, { ...PAYLOAD, details: [] });
    }
    await pause(20);
    assertEquals(started.toSorted(), ["incident", "pause"], "pause has not ended yet");
    for (let time = 0; time < 6; time++) await end();
    await runner.idle();
    assertEquals(started.filter((name) => name !== "incident"), ["pause", "resume", "pause"]);
    assertEquals(reports.length, 4);
  });
});

Deno.test("createHookRunner() starts no periodic hook twice, and lets none pile up", async () => {
  await withHooks(async (folder) => {
    for (const name of ["fanout", "kill"] as const) write(folder, name, ":");
    const { started, end, runner, reports } = bench(folder);
    for (let time = 0; time < 3; time++) runner.start("fanout", { ...PAYLOAD, details: [] });
    for (let time = 0; time < 8; time++) runner.start("kill", { ...PAYLOAD, details: [String(time)] });
    for (let time = 0; time < 12; time++) await end();
    await runner.idle();
    assertEquals(started.filter((name) => name === "fanout").length, 1);
    assertEquals(started.filter((name) => name !== "fanout"), [
      "kill 0",
      "kill 4",
      "kill 5",
      "kill 6",
      "kill 7",
    ]);
    assertEquals(reports.filter((report) => report === "fanout skipped").length, 2);
    assertEquals(reports.filter((report) => report === "kill skipped").length, 3);
  });
});

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The state of a process, waited for; `gone` where it has ended. */
async function stateSoon(pid: number, wanted: string): Promise<string> {
  let state = "";
  for (let tries = 0; tries < 100 && state !== wanted; tries++) {
    state = await Deno.readTextFile(`/proc/${pid}/stat`).then(
      (text) => text.split(") ")[1]?.[0] ?? "",
      () => "gone",
    );
    if (state === "Z") state = "gone";
    if (state !== wanted) await pause(20);
  }
  return state;
}
