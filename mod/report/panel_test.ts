import { assertEquals, assertMatch } from "@std/assert";
import { absent, failed, ok } from "../reading.ts";
import { BUSY_GATE, climb, DEFAULT_RULES, loadOf, sampleAt } from "../testing/climb.ts";
import type { Sample } from "../ladder/sample.ts";
import { type PanelView, renderPanel } from "./panel.ts";

const WALL_MS = Date.UTC(2026, 10, 29, 19, 31, 5);

function viewOf(samples: readonly Sample[], more: Partial<PanelView> = {}): PanelView {
  const sample = samples.at(-1);
  const decision = climb(samples).at(-1)?.decision;
  if (sample === undefined || decision === undefined) throw new Error("no sample was due");
  return {
    version: "0.1.0",
    host: "web-3",
    source: "/run/loadweir/proc (bind mount)",
    sample: { ...sample, wallMs: WALL_MS },
    decision,
    rules: DEFAULT_RULES,
    memory: "62.5 % of 7.8 GiB available, no swap",
    sparkline: "",
    sparklineMs: 0,
    lateMs: 0,
    would: [],
    notes: [],
    ...more,
  };
}

Deno.test("renderPanel() shows a storm with its witness, posture and what would be done", () => {
  const recheck = { ...sampleAt(9_000, 0), load: ok(loadOf(671, 455, { cpuBusyRatio: 0.97 })) };
  const view = viewOf([sampleAt(0, 671), recheck], {
    sparkline: "▁▂▃▅▆▇█",
    sparklineMs: 720_000,
    would: ["pause nginx (master 812, 2 workers)", "pause php-fpm8.2 (master 900, pool www: 5 workers)"],
    notes: ["3 problems in /etc/loadweir/loadweir.ini, run `loadweir check`"],
  });
  assertEquals(renderPanel(view), [
    "loadweir 0.1.0 · web-3 · 2 CPUs · audit: nothing will be changed",
    "source    /run/loadweir/proc (bind mount)   last pass 19:31:05 UTC, on time",
    "",
    "load      1m 13.42 = 671.0 % of the CPUs   5m 9.10 = 455.0 % of the CPUs   ▁▂▃▅▆▇█  1m, last 12 min",
    "witness   10 runnable, CPU 97 % busy, iowait 0 %, PSI cpu some 60, io some 0   the CPU is wanted",
    "ladder    SPIDER > 210 % (load 4.2)   MAX > 610 % (load 12.2)   CRIT > 810 % (load 16.2)   resume < 488 % (load 9.76)",
    "posture   MAX, re-checked: 671.0 % is still over 610 %",
    "backup    none running",
    "memory    62.5 % of 7.8 GiB available, no swap",
    "would     pause nginx (master 812, 2 workers)",
    "          pause php-fpm8.2 (master 900, pool www: 5 workers)",
    "",
    "3 problems in /etc/loadweir/loadweir.ini, run `loadweir check`",
  ]);
});

Deno.test("renderPanel() says that a load is unknown, and why", () => {
  const sample: Sample = { monotonicMs: 0, wallMs: 0, load: failed('Cannot parse "/proc/loadavg": is ""') };
  const lines = renderPanel(viewOf([sample], { lateMs: 2_300 }));
  assertMatch(lines[0] ?? "", /CPUs unknown/);
  assertMatch(lines[1] ?? "", /2\.3 s late/);
  assertEquals(lines[3], 'load      unknown: Cannot parse "/proc/loadavg": is ""');
  assertEquals(lines[6], "posture   UNKNOWN, the load could not be read: nothing is done on a guess");
  assertEquals(lines[9], "would     do nothing");
});

Deno.test("renderPanel() says that backups cannot be told", () => {
  const gate = { ...BUSY_GATE, backups: absent("no ps on this host") };
  const lines = renderPanel(viewOf([sampleAt(0, 20, gate)]));
  assertEquals(lines[7], "backup    unknown: no ps on this host");
});
