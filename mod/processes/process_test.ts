import { assertEquals } from "@std/assert";
import { parsePidStat } from "../proc/pid_stat.ts";
import { parsePs, type PsRow } from "../proc/ps.ts";
import { isLiveProgram, isZombie, processFromPs, processFromStat } from "./process.ts";

const STAT =
  "4120 (php) R 4101 4120 4101 0 -1 4194304 8120 0 3 0 5210 377 0 0 20 0 2 0 1893321 98414592 11873 0";

function aRow(rest: Partial<PsRow>): PsRow {
  return {
    pid: 7,
    ppid: 1,
    state: "S",
    threadCount: 1,
    comm: "x",
    args: "x",
    isKernelThread: false,
    ...rest,
  };
}

Deno.test("processFromStat() adds up CPU time and keeps what was not read undefined", () => {
  assertEquals(processFromStat(parsePidStat(STAT), undefined), {
    pid: 4120,
    ppid: 4101,
    comm: "php",
    state: "R",
    isKernelThread: false,
    isFork: false,
    argv: undefined,
    startTicks: 1893321,
    threadCount: 2,
    cpuTicks: 5587,
    rssPages: 11873,
    namespaceDepth: undefined,
  });
});

Deno.test("processFromPs() knows neither start, memory, CPU time and namespace, nor what was forked", () => {
  const { isFork, startTicks, cpuTicks, rssPages, namespaceDepth } = processFromPs(aRow({}));
  assertEquals([isFork, startTicks, cpuTicks, rssPages, namespaceDepth], [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("processFromPs() splits arguments at blanks", () => {
  assertEquals(processFromPs(aRow({ comm: "bash", args: "bash -x  /srv/a.sh" })).argv, [
    "bash",
    "-x",
    "/srv/a.sh",
  ]);
});

for (
  const { name, row, argv } of [
    { name: "a zombie", row: { state: "Z", comm: "php", args: "[php] <defunct>" }, argv: [] },
    { name: "a kernel thread", row: { isKernelThread: true, comm: "ksmd", args: "[ksmd]" }, argv: [] },
    {
      name: "a program whose arguments could not be read",
      row: { comm: "bash", args: "[bash]" },
      argv: undefined,
    },
    { name: "a program with nothing to show", row: { comm: "bash", args: "" }, argv: undefined },
    {
      name: "a program called with brackets",
      row: { comm: "[", args: "[ -f x ]" },
      argv: ["[", "-f", "x", "]"],
    },
  ] as const
) {
  Deno.test(`processFromPs() knows the arguments of ${name}`, () => {
    assertEquals(processFromPs(aRow(row)).argv, argv);
  });
}

Deno.test("processFromPs() takes what this machine's ps prints", async () => {
  const { PS_ARGUMENTS } = await import("../proc/ps.ts");
  const { stdout } = await new Deno.Command("/usr/bin/ps", { args: [...PS_ARGUMENTS], env: { LC_ALL: "C" } })
    .output();
  const self = parsePs(new TextDecoder().decode(stdout)).map(processFromPs).find(({ pid }) =>
    pid === Deno.pid
  );
  assertEquals(self?.ppid, Deno.ppid);
  assertEquals(self?.argv?.[0]?.endsWith("deno"), true);
});

Deno.test("isLiveProgram() is false for what has ended and for kernel threads", () => {
  const live = { state: "D", isKernelThread: false };
  assertEquals(isLiveProgram(live), true);
  for (const state of ["Z", "X", "x"]) assertEquals(isLiveProgram({ ...live, state }), false);
  assertEquals(isLiveProgram({ ...live, isKernelThread: true }), false);
});

Deno.test("isZombie() is true for state Z alone", () => {
  assertEquals(["Z", "X", "S"].map((state) => isZombie({ state })), [true, false, false]);
});
