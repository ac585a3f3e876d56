import { assertEquals } from "@std/assert";
import { parseReapedTicks } from "./pid_reaped.ts";

const ROWS: Readonly<Record<string, readonly [string, number | undefined]>> = {
  "the master of a php-fpm": [
    "901 (php-fpm8.2) S 1 901 901 0 -1 4194560 9113 40211 0 2 57 31 4420 912 20 0 1 0 6012 217534464 4120 184\n",
    5_332,
  ],
  "a name that looks like fields": [
    "7 (a) S 1 2 3) R 1 7 7 0 -1 4194304 0 0 0 0 1 2 30 40 20 0 1 0 99 1 1\n",
    70,
  ],
  "a kernel thread with what is no time": [
    "12 (rcu_preempt) I 2 0 0 0 -1 2129984 0 0 0 0 0 5 -9223372036854775808 0 20 0 1 0 3 0 0\n",
    0,
  ],
  "a line cut within the first figure's place": [
    "901 (php) S 1 901 901 0 -1 4194560 9113 40211 0 2 57 31",
    undefined,
  ],
  "a line cut before the second": ["901 (php) S 1 901 901 0 -1 4194560 9113 40211 0 2 57 31 4420", undefined],
  "a word": ["901 (php) S 1 901 901 0 -1 4194560 9113 40211 0 2 57 31 x 5 20", undefined],
  "nothing": ["", undefined],
};

for (const [name, [text, ticks]] of Object.entries(ROWS)) {
  Deno.test(`parseReapedTicks() reads ${name}`, () => assertEquals(parseReapedTicks(text), ticks));
}
