import { assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses, assertSoundNumbers } from "../testing/mutations.ts";
import { parsePidStatus } from "./pid_status.ts";

const PHP = `Name:\tphp
Umask:\t0022
State:\tR (running)
Tgid:\t4120
Pid:\t4120
PPid:\t812
Uid:\t0\t33\t0\t33
Gid:\t33\t33\t33\t33
VmHWM:\t   50000 kB
VmRSS:\t   47492 kB
RssAnon:\t   21472 kB
Threads:\t1
SigQ:\t0/15619
SigPnd:\t0000000000000000
ShdPnd:\t0000000000000000
SigBlk:\t0000000000004000
`;

Deno.test("parsePidStatus() gives the effective user and the memory in RAM", () => {
  assertEquals(parsePidStatus(PHP), { uid: 33, rssKib: 47_492, pendingSignals: [] });
});

Deno.test("parsePidStatus() knows no memory of a zombie", () => {
  assertEquals(parsePidStatus(PHP.replace(/^(Vm|Rss).*\n/gm, "")), {
    uid: 33,
    rssKib: undefined,
    pendingSignals: [],
  });
});

Deno.test("parsePidStatus() tells the signals that wait, of the thread and of the process", () => {
  const text = PHP.replace(/^SigPnd.*$/m, "SigPnd:\t0000000000000100").replace(
    /^ShdPnd.*$/m,
    "ShdPnd:\t8000000000004100",
  );
  assertEquals(parsePidStatus(text).pendingSignals, [9, 15, 64]);
  assertEquals(parsePidStatus(PHP.replace(/^(SigPnd|ShdPnd).*\n/gm, "")).pendingSignals, []);
});

Deno.test("parsePidStatus() is not misled by a name that looks like a line", () => {
  assertEquals(parsePidStatus(PHP.replace("php", "x\\nUid:\t7\t7\t7\t7")), {
    uid: 33,
    rssKib: 47_492,
    pendingSignals: [],
  });
});

Deno.test("parsePidStatus() refuses a text without a user", () => {
  assertThrows(() => parsePidStatus("", "/proc/1/status"), ParseError, 'Cannot parse "/proc/1/status"');
  assertThrows(() => parsePidStatus("Name:\tphp\nUid:\t0\n"), ParseError);
});

Deno.test("parsePidStatus() reads or refuses every damaged text", () => {
  assertReadsOrRefuses(PHP, (text) => assertSoundNumbers(parsePidStatus(text)));
});
