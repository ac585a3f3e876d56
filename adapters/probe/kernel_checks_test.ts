import { assertEquals } from "@std/assert";
import { type CheckResult, unknown } from "../../mod/probe/check.ts";
import { DEFAULT_THRESHOLDS } from "../../mod/probe/thresholds.ts";
import type { Source } from "../source.ts";
import {
  createOverflowLook,
  lookAtConntrack,
  lookAtSwap,
  lookAtSystemFiles,
  lookAtTcpMemory,
  lookAtTcpOrphans,
} from "./kernel_checks.ts";

/** Looks at a proc root that holds these files, as they would be on a host of another kernel. */
async function onRoot(
  files: Readonly<Record<string, string>>,
  look: (source: Source) => CheckResult,
): Promise<CheckResult> {
  const root = await Deno.makeTempDir();
  try {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
      await Deno.writeTextFile(`${root}/${path}`, text);
    }
    return look({ kind: "proc-root", root, name: "procfs-flag" });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function severityOf(result: CheckResult): string {
  return result.state === "bad" ? result.severity : result.state;
}

/** A file of a case. */
function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/cases/${path}`, import.meta.url));
}

const SOCKSTAT = "sockets: used 9\nTCP: inuse 66 orphan 3000 tw 9 alloc 77 mem 55000\n";

const SEEN:
  readonly (readonly [string, Readonly<Record<string, string>>, (source: Source) => CheckResult, string])[] =
    [
      ["files of a system that runs out of them", { "sys/fs/file-nr": "910\t0\t1000\n" }, files, "drain"],
      [
        "files of a system without a limit",
        { "sys/fs/file-nr": "910\t0\t9223372036854775807\n" },
        files,
        "ok",
      ],
      ["files of a system that does not say", {}, files, "unknown"],
      [
        "TCP over nine tenths of its memory",
        { "net/sockstat": SOCKSTAT, "sys/net/ipv4/tcp_mem": "20000\t40000\t60000\n" },
        lookAtTcpMemory,
        "drain",
      ],
      [
        "TCP that shrinks its buffers",
        { "net/sockstat": SOCKSTAT, "sys/net/ipv4/tcp_mem": "20000\t40000\t80000\n" },
        lookAtTcpMemory,
        "warn",
      ],
      [
        "TCP whose limits are not shown, as in a container",
        { "net/sockstat": fixture("c49-sockstat-partial/a/proc/net/sockstat") },
        lookAtTcpMemory,
        "unknown",
      ],
      [
        "TCP of a container that leaves lines out (c49)",
        {
          "net/sockstat": fixture("c49-sockstat-partial/b/proc/net/sockstat"),
          "sys/net/ipv4/tcp_max_orphans": "4096\n",
        },
        orphans,
        "ok",
      ],
      [
        "connections without a process",
        { "net/sockstat": SOCKSTAT, "sys/net/ipv4/tcp_max_orphans": "4096\n" },
        orphans,
        "drain",
      ],
      [
        "a table of connections that is full",
        { "sys/net/netfilter/nf_conntrack_count": "1000\n", "sys/net/netfilter/nf_conntrack_max": "1000\n" },
        conntrack,
        "drain",
      ],
      ["no table of connections", { "sys/net/core/somaxconn": "4096\n" }, conntrack, "ok"],
      ["no settings of the network at all", {}, conntrack, "unknown"],
      ["a host without swap (c44)", { "meminfo": fixture("c44-no-swap/proc/meminfo") }, lookAtSwap, "ok"],
      [
        "swap that is full while tasks wait for memory",
        {
          "meminfo": "MemTotal: 1000 kB\nMemAvailable: 400 kB\nSwapTotal: 1000 kB\nSwapFree: 0 kB\n",
          "pressure/memory": "some avg10=40.00 avg60=0.00 avg300=0.00 total=1\n" +
            "full avg10=20.00 avg60=0.00 avg300=0.00 total=1\n",
        },
        lookAtSwap,
        "drain",
      ],
      [
        "swap that is full of cold pages",
        {
          "meminfo": "MemTotal: 1000 kB\nMemAvailable: 400 kB\nSwapTotal: 1000 kB\nSwapFree: 0 kB\n",
          "pressure/memory": "full avg10=0.00 avg60=0.00 avg300=0.00 total=1\n",
        },
        lookAtSwap,
        "ok",
      ],
    ];
for (const [name, files, look, severity] of SEEN) {
  Deno.test(`the checks of the kernel's figures take ${name} for ${severity}`, async () => {
    assertEquals(severityOf(await onRoot(files, look)), severity);
  });
}

function files(source: Source): CheckResult {
  return lookAtSystemFiles(source, DEFAULT_THRESHOLDS);
}

function orphans(source: Source): CheckResult {
  return lookAtTcpOrphans(source, DEFAULT_THRESHOLDS);
}

function conntrack(source: Source): CheckResult {
  return lookAtConntrack(source, DEFAULT_THRESHOLDS);
}

Deno.test("createOverflowLook() reads nothing out of counters without figures (c13)", async () => {
  const result = await onRoot(
    { "net/netstat": fixture("c13-gvisor-dummy-loadavg-and-header-only-netstat/proc/net/netstat") },
    (source) => createOverflowLook(source, CLOCK, DEFAULT_THRESHOLDS)(),
  );
  assertEquals(result.state === "unknown" && result.evidence.endsWith("net/netstat holds no figures"), true);
});

Deno.test("createOverflowLook() finds the counter by its name on every kernel (c50)", async () => {
  for (const kernel of ["old", "new"]) {
    const text = fixture(`c50-netstat-columns-moved/${kernel}/proc/net/netstat`);
    const result = await onRoot({ "net/netstat": text }, (source) => {
      const look = createOverflowLook(source, CLOCK, DEFAULT_THRESHOLDS);
      assertEquals(look(), unknown("counted for the first time"));
      const root = source.kind === "proc-root" ? source.root : "";
      Deno.writeTextFileSync(`${root}/net/netstat`, text.replaceAll(/\b287\b/g, "999"));
      return look();
    });
    assertEquals([severityOf(result), result.evidence], [
      "drain",
      "712 connections lost in full queues in the last minute, 11.87/s, over 5/s",
    ]);
  }
});

const CLOCK = { monotonicMs: () => 0, wallMs: () => 0, sleep: () => Promise.resolve() };
