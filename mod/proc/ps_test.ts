import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parsePs, PS_ARGUMENTS } from "./ps.ts";

function fixture(name: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/ps/${name}`, import.meta.url));
}

const WEB_HOST = fixture("web_host");

Deno.test("PS_ARGUMENTS asks for no header, for lines of bounded width, and for the arguments last", () => {
  assertEquals(PS_ARGUMENTS, [
    "--width",
    "1024",
    "-e",
    "-o",
    "pid:10=,ppid:10=,state:2=,nlwp:6=,vsz:14=,comm:64=,args=",
  ]);
});

Deno.test("parsePs() reads every column", () => {
  assertEquals(parsePs(WEB_HOST).find((row) => row.pid === 4120), {
    pid: 4120,
    ppid: 1,
    state: "D",
    threadCount: 1,
    comm: "php",
    args: "/usr/bin/php /var/www/shop/artisan queue:work --sleep=3 --tries=3",
    isKernelThread: false,
  });
});

Deno.test("parsePs() gives one row for each line", () => {
  assertEquals(
    parsePs(WEB_HOST).map(({ pid, threadCount, comm }) => `${pid} ${threadCount} ${comm}`),
    [
      "1 1 systemd",
      "2 1 kthreadd",
      "3 1 pool_workqueue_release",
      "4 1 kworker/R-rcu_gp",
      "5 1 kworker/R-sync_wq",
      "6 1 kworker/R-kvfree_rcu_reclaim",
      "7 1 kworker/R-slub_flushwq",
      "702 44 mariadbd",
      "812 1 nginx",
      "813 1 nginx",
      "831 1 php-fpm8.2",
      "835 1 php-fpm8.2",
      "4120 1 php",
      "4188 1 php",
    ],
  );
});

Deno.test("parsePs() takes kthreadd and its children for kernel threads, and nothing else", () => {
  const kernelThreads = parsePs(WEB_HOST).filter((row) => row.isKernelThread).map((row) => row.pid);
  assertEquals(kernelThreads, [2, 3, 4, 5, 6, 7]);
});

Deno.test("parsePs() takes process 2 of a container and its children for no kernel threads", () => {
  const rows = parsePs(fixture("hostile_names"));
  assertEquals(rows.filter((row) => row.ppid === 2 && row.state === "Z").length, 1);
  assertEquals(rows.filter((row) => row.isKernelThread), []);
});

Deno.test('parsePs() keeps names and arguments with blanks and ") Z "', () => {
  const rows = parsePs(fixture("hostile_names")).map(({ state, comm, args }) => [state, comm, args]);
  assertEquals(rows, [
    ["S", "sleep", "sleep 2"],
    ["S", ") Z 1 (php", "./) Z 1 (php 20"],
    ["S", "a b  c", "./a b  c  20"],
    ["S", "??ml??ut", "./??ml??ut 20"],
    ["S", "new.line", "./new line 20"],
    ["S", "sleep", " 20"],
    ["S", "sleep", "tail  blank   20"],
    ["Z", "sh", "[sh] <defunct>"],
  ]);
});

Deno.test("parsePs() reads a process without arguments", () => {
  const line = WEB_HOST.split("\n")[1] ?? "";
  assertEquals(parsePs(line.replace("[kthreadd]", "")).map((row) => row.args), [""]);
});

const REFUSED = [
  { what: "an empty text", text: "\n", says: "is empty" },
  { what: "a header", text: `PID PPID S NLWP VSZ COMMAND COMMAND\n${WEB_HOST}`, says: "line 1: is " },
  { what: "an empty line between others", text: WEB_HOST.replace("\n", "\n\n"), says: 'line 2: is ""' },
  { what: "a line that was cut", text: fixture("web_host.truncated"), says: "line 14: is " },
];

for (const { what, text, says } of REFUSED) {
  Deno.test(`parsePs() refuses ${what}`, () => {
    assertThrows(() => parsePs(text), ParseError, says);
  });
}

Deno.test("parsePs() reads or refuses any damaged text", () => {
  assertReadsOrRefuses(WEB_HOST, (text) => assertSoundNumbers(parsePs(text)));
});
