import { assert, assertEquals, assertThrows } from "@std/assert";
import { ParseError } from "../errors.ts";
import { assertReadsOrRefuses } from "../testing/mutations.ts";
import { parseCfsQuota, parseCpuMax } from "./cpu_max.ts";

function fixture(path: string): string {
  return Deno.readTextFileSync(new URL(`../../fixtures/cases/${path}`, import.meta.url));
}

const CPU_MAX_CASES = [
  { of: "c16-cpu-max-unlimited", limit: undefined },
  { of: "c17-cpu-max-single-field/a", limit: 2 },
  { of: "c17-cpu-max-single-field/b", limit: undefined },
  { of: "c19-cpu-max-fraction", limit: 0.5 },
];

for (const { of, limit } of CPU_MAX_CASES) {
  Deno.test(`parseCpuMax() is ${limit} for ${of}`, () => {
    assertEquals(parseCpuMax(fixture(`${of}/sys/fs/cgroup/cpu.max`)), limit);
  });
}

for (const [variant, limit] of [["a", undefined], ["b", 0.5]] as const) {
  Deno.test(`parseCfsQuota() is ${limit} for c20-cgroup-v1-quota-minus-one/${variant}`, () => {
    const folder = `c20-cgroup-v1-quota-minus-one/${variant}/sys/fs/cgroup/cpu`;
    const quota = fixture(`${folder}/cpu.cfs_quota_us`);
    assertEquals(parseCfsQuota(quota, fixture(`${folder}/cpu.cfs_period_us`)), limit);
  });
}

for (const text of ["", "0 100000", "50000 0", "-1 100000", "max x", "50000 100000 7", "5e4 100000", "MAX"]) {
  Deno.test(`parseCpuMax() refuses ${JSON.stringify(text)}`, () => {
    assertThrows(() => parseCpuMax(`${text}\n`, "/sys/fs/cgroup/cpu.max"), ParseError, JSON.stringify(text));
  });
}

for (
  const [quota, period] of [["", "100000"], ["0", "100000"], ["x", "100000"], ["5", "0"], ["5", "-1"], [
    "-1",
    "",
  ]] as const
) {
  Deno.test(`parseCfsQuota() refuses a quota of "${quota}" in a period of "${period}"`, () => {
    assertThrows(() => parseCfsQuota(quota, period), ParseError);
  });
}

Deno.test("parseCpuMax() reads or refuses any damaged text, and never gives a limit of 0", () => {
  assertReadsOrRefuses("50000 100000\n", (text) => assertLimit(parseCpuMax(text)));
});

Deno.test("parseCfsQuota() reads or refuses any damaged text, and never gives a limit of 0", () => {
  assertReadsOrRefuses("50000\n", (text) => assertLimit(parseCfsQuota(text, "100000\n")));
  assertReadsOrRefuses("100000\n", (text) => assertLimit(parseCfsQuota("50000\n", text)));
});

function assertLimit(limit: number | undefined): void {
  assert(limit === undefined || Number.isFinite(limit) && limit > 0, String(limit));
}
