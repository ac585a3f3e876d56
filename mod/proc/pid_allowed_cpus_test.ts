import { assertEquals } from "@std/assert";
import fc from "npm:fast-check@4.11.0";
import { parseAllowedCpus } from "./pid_allowed_cpus.ts";

const ROWS: Readonly<Record<string, readonly [string, readonly number[] | undefined]>> = {
  "one CPU": ["0", [0]],
  "ranges and single ones": ["0-2,8,10-11", [0, 1, 2, 8, 10, 11]],
  "a range that falls": ["3-1", undefined],
  "more CPUs than there can be": ["0-99999", undefined],
  "words": ["all", undefined],
  "nothing": ["", undefined],
};

for (const [name, [list, cpus]] of Object.entries(ROWS)) {
  Deno.test(`parseAllowedCpus() reads ${name}`, () => {
    const text = `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${list}\nMems_allowed:\t1\n`;
    assertEquals(parseAllowedCpus(text), cpus);
  });
}

Deno.test("parseAllowedCpus() gives nothing where the line is missing", () => {
  assertEquals(parseAllowedCpus("Name:\tCpus_allowed_list:\t0\n"), undefined);
});

Deno.test("parseAllowedCpus() never throws", () => {
  fc.assert(fc.property(fc.string(), (text) => {
    parseAllowedCpus(`Cpus_allowed_list:\t${text}`);
  }));
});
