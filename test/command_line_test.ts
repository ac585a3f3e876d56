import { assert, assertEquals, assertMatch } from "@std/assert";
import { PROJECT } from "../scripts/project_files.ts";
import { testNeeding } from "./needs.ts";
import { BINARIES, type Binary } from "./binaries.ts";
import { inWorldOk } from "./world.ts";

/** What one command printed and how it ended. */
interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs commands in one world, because a start under the emulator takes seconds.
 *
 * @param commands Shell commands by name, in which `loadweir` is the binary
 * @param prepare Run before, as bash
 */
async function runAll(
  binary: Binary,
  bind: boolean,
  commands: Readonly<Record<string, string>>,
  prepare = "",
): Promise<Readonly<Record<string, Outcome>>> {
  const script = [
    `loadweir() { ${binary.command} "$@"; }`,
    "mkdir -p /etc/loadweir",
    prepare,
    ...Object.values(commands).map((command) =>
      `code=0; { ${command}; } >/tmp/out 2>/tmp/err </dev/null || code=$?
       printf '%s\\0' "$code"; cat /tmp/out; printf '\\0'; cat /tmp/err; printf '\\0'`
    ),
  ].join("\n");
  const parts = (await inWorldOk(script, { bind, deadlineMs: 120_000 })).split("\0");
  return Object.fromEntries(
    Object.keys(commands).map((name, index) => {
      const [code, stdout = "", stderr = ""] = parts.slice(index * 3, index * 3 + 3);
      return [name, { code: Number(code), stdout, stderr }];
    }),
  );
}

/** The outcome of a command that must have been run. */
function outcomeOf(outcomes: Readonly<Record<string, Outcome>>, name: string): Outcome {
  const outcome = outcomes[name];
  if (outcome === undefined) throw new Error(`"${name}" was not run`);
  return outcome;
}

/**
 * Commands for a binary: all of them, or these alone where each start takes seconds. What is left out is the same code.
 */
function commandsFor(
  { arch }: Binary,
  underEmulator: readonly string[],
  all: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (arch === "x86_64") return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => underEmulator.includes(name)));
}

/** Plays a load of these percentages on this world's CPUs, over the bind mount or a folder of its own. */
const PLAY = String.raw`
play() { awk -v p="$1" -v n="$(nproc)" 'BEGIN { l = p * n / 100; printf "%.2f %.2f %.2f 9/30 4242\n", l, l, l }' >/tmp/loadavg; }
play 20
mount --bind /tmp/loadavg /run/loadweir/proc/loadavg
`;

/** Every line of JSON. */
// deno-lint-ignore no-explicit-any
function recordsOf(text: string): readonly any[] {
  return text.trim().split("\n").map((line) => JSON.parse(line));
}

for (const binary of BINARIES) {
  const { arch, needs } = binary;
  // What is left out under the emulator is the same code as on the machine itself.
  const isNative = arch === "x86_64";

  testNeeding(needs, `${arch}: an audit tells tier, action and why, from the bind mount`, async () => {
    const fast = "printf '[ladder]\\ninterval = 100ms\\nrecheck = 200ms\\n' >/etc/loadweir/loadweir.ini";
    const commands = commandsFor(binary, ["calm", "storm"], {
      calm: "play 20; loadweir run --dry-run --once",
      storm: `${fast}; play 900; loadweir run --dry-run --once --json`,
      status: "play 700; loadweir status --json",
      exit: "loadweir status --exit-code",
      tasks: "loadweir ok-tasks",
      spiders: "play 100; loadweir ok-spiders",
    });
    const outcomes = await runAll(binary, true, commands, PLAY);
    const calm = outcomeOf(outcomes, "calm");
    assertEquals([calm.code, calm.stderr], [0, ""]);
    assertMatch(calm.stdout, /^ts=\S+Z tier=normal phase=pass load1=20\.0 load5=20\.0 cpus=\d+ action=none /);
    assertMatch(calm.stdout, / reason=below-spider mode=audit source=bind-mount\n$/);
    const [pass, recheck] = recordsOf(outcomeOf(outcomes, "storm").stdout);
    assertEquals([pass.actions, pass.reason], [["recheck"], "recheck-asked"]);
    assertEquals([recheck.actions, recheck.paused], [["kill-runaways", "pause-web"], true]);
    assertEquals([recheck.backups, recheck.source], [[], "bind-mount"]);
    if (!isNative) return;
    assertEquals(JSON.parse(outcomeOf(outcomes, "status").stdout).tier, "max");
    assertEquals(outcomeOf(outcomes, "exit").code, 20);
    const tasks = outcomeOf(outcomes, "tasks");
    assertEquals(tasks.code, 1);
    assertEquals(
      tasks.stdout,
      "tasks not ok: load 1m 700.0 %, 5m 700.0 %, over the TASK threshold of 310 %\n",
    );
    assertEquals(outcomeOf(outcomes, "spiders").code, 0);
  });

  if (isNative) {
    testNeeding(
      [...needs, "/usr/bin/script"],
      "a panel can be read where the width is not known",
      async () => {
        const panel = `play 20; script -qec "stty cols 0; ${binary.command} run --dry-run --once" /dev/null`;
        const outcomes = await runAll(binary, true, { panel }, PLAY);
        assertMatch(outcomeOf(outcomes, "panel").stdout, /1m 0\.\d\d = 20\.0 % of the CPUs/);
      },
    );
  }

  testNeeding(needs, `${arch}: an audit works without the bind mount, and names its source`, async () => {
    const commands = commandsFor(binary, ["once", "check"], {
      once: "loadweir run --dry-run --once --json",
      check: "loadweir check",
      status: "loadweir status",
      proc: "loadweir status --procfs /proc",
      etc: "loadweir status --procfs /etc",
    });
    const outcomes = await runAll(binary, false, commands);
    const [record] = recordsOf(outcomeOf(outcomes, "once").stdout);
    assertEquals(record.source, "kernel-calls");
    assert(record.load1Pct >= 0 && record.cpus >= 1, JSON.stringify(record));
    const check = outcomeOf(outcomes, "check");
    assertMatch(check.stdout, /^ +mount -o remount,bind,ro \/run\/loadweir\/proc$/m);
    if (!isNative) return;
    assertMatch(
      outcomeOf(outcomes, "status").stdout,
      /^source +kernel calls, ps and vmstat \(no proc root\)$/m,
    );
    for (const name of ["proc", "etc"]) {
      const { code, stdout, stderr } = outcomeOf(outcomes, name);
      assertEquals([code, stdout], [2, ""]);
      const refusal = `^loadweir: Cannot use --procfs /${name}: this binary may not read /${name}/loadavg`;
      assertMatch(stderr, new RegExp(refusal));
    }
  });

  testNeeding(needs, `${arch}: replay prints decisions and nothing else on standard output`, async () => {
    const golden = `${PROJECT}/fixtures/golden/ladder`;
    const traces = [...Deno.readDirSync(golden)].map(({ name }) => name)
      .filter((name) => name.endsWith(".trace.jsonl")).slice(0, isNative ? Infinity : 2);
    const commands = traces.map((name) => [name, `loadweir replay --json - <${golden}/${name}`] as const);
    const outcomes = await runAll(binary, false, Object.fromEntries(commands));
    for (const name of traces) {
      const { code, stdout, stderr } = outcomeOf(outcomes, name);
      assertEquals([code, stderr], [0, ""]);
      const decisions = Deno.readTextFileSync(`${golden}/${name.replace(".trace.", ".decisions.")}`);
      assertEquals(recordsOf(stdout), recordsOf(decisions));
    }
  });

  testNeeding(needs, `${arch}: a recording replays, holds no argument, and can go nowhere else`, async () => {
    const commands = commandsFor(binary, ["record", "replay", "secrets"], {
      record: "loadweir record monday --every 500ms --for 2s",
      replay: "loadweir replay /var/lib/loadweir/recordings/monday/trace.jsonl --json",
      secrets: "! grep -rl s3cret /var/lib/loadweir",
      again: "loadweir record monday --for 2s",
      outside: "loadweir record ../elsewhere",
      tree: "loadweir status --json --procfs /var/lib/loadweir/recordings/monday/proc",
      elsewhere: "loadweir replay /srv/trace.jsonl",
      folder: "loadweir replay /var/lib/loadweir/recordings/monday",
      missing: "loadweir replay /var/lib/loadweir/recordings/tuesday/trace.jsonl",
    });
    const secret = "bash -c 'sleep 100; :' --password=s3cret &";
    const prepare = [PLAY, secret, "echo '{}' >/srv/trace.jsonl"].join("\n");
    const outcomes = await runAll(binary, true, commands, prepare);
    const record = outcomeOf(outcomes, "record");
    assertEquals(record.code, 0, record.stderr);
    assertMatch(
      record.stdout,
      /^\d+ samples in \/var\/lib\/loadweir\/recordings\/monday\/trace\.jsonl; replay with: /,
    );
    assertMatch(record.stderr, /^loadweir: [1-9]\d* processes copied to /);
    const [first] = recordsOf(outcomeOf(outcomes, "replay").stdout);
    assertEquals([first.tier, first.load1Pct], ["normal", 20]);
    const secrets = outcomeOf(outcomes, "secrets");
    assertEquals(secrets.code, 0, secrets.stdout);
    if (!isNative) return;
    assertEquals(outcomeOf(outcomes, "again").code, 2);
    assertMatch(outcomeOf(outcomes, "again").stderr, /there is a recording monday already/);
    assertEquals(outcomeOf(outcomes, "outside").code, 2);
    assertEquals(JSON.parse(outcomeOf(outcomes, "tree").stdout).load1Pct, 20);
    const { stderr } = outcomeOf(outcomes, "elsewhere");
    assertMatch(stderr, /feed it in instead: loadweir replay - < \/srv\/trace\.jsonl/);
    const folder = outcomeOf(outcomes, "folder");
    assertEquals(folder.code, 1);
    assertMatch(folder.stderr, /^loadweir: Cannot read "\S+monday": it is a folder, expected a trace/);
    const missing = outcomeOf(outcomes, "missing");
    assertEquals(missing.code, 1);
    assertMatch(
      missing.stderr,
      /^loadweir: Cannot read "\S+trace\.jsonl": not there; `loadweir record NAME`/,
    );
  });

  testNeeding(needs, `${arch}: what it cannot follow ends with 2 and the nearest that it could`, async () => {
    const commands = commandsFor(binary, ["verb", "version"], {
      verb: "loadweir statsu",
      version: "loadweir --version",
      nothing: "loadweir",
      flag: "loadweir run --dryrun",
      // Armed, it would not end: a deadline makes it a failure.
      once: `timeout 10 ${binary.command} run --once`,
      every: `timeout 10 ${binary.command} run --every 1s`,
      json: `timeout 10 ${binary.command} run --json`,
      passes: `timeout 10 ${binary.command} run --passes 1`,
      config: "loadweir status --config /etc/loadweir/missing.ini",
      broken: "echo broken | loadweir replay -",
      help: "loadweir help record",
    });
    const outcomes = await runAll(binary, false, commands);
    const refused = (name: string): string => {
      const { code, stdout, stderr } = outcomeOf(outcomes, name);
      assertEquals([name, code, stdout], [name, 2, ""]);
      return stderr;
    };
    assertMatch(refused("verb"), /did you mean status\?/);
    const version = outcomeOf(outcomes, "version").stdout;
    assertMatch(version, new RegExp(`^loadweir \\d+\\.\\d+\\.\\d+ ${arch}-unknown-linux-gnu, Deno 2`));
    if (!isNative) return;
    assertMatch(refused("nothing"), /no verb given/);
    assertMatch(refused("flag"), /did you mean --dry-run\?/);
    for (const name of ["once", "every", "json", "passes"]) {
      assertMatch(
        refused(name),
        new RegExp(`^loadweir: --${name} is for --dry-run, and without it run is armed`),
      );
    }
    assertMatch(refused("config"), /missing\.ini": not there/);
    const broken = outcomeOf(outcomes, "broken");
    assertEquals([broken.code, broken.stdout], [1, ""]);
    assertMatch(broken.stderr, /^loadweir: Cannot parse "standard input" line 1: "broken" is no JSON/);
    assertMatch(outcomeOf(outcomes, "help").stdout, /^usage: loadweir record NAME \[FLAGS\]$/m);
  });
}
