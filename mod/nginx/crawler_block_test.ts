import { assertEquals } from "@std/assert";
import { CRAWLER_BLOCKS, maybeFlawOf } from "./crawler_block.ts";
import type { IncludeFinding } from "./include_search.ts";

const PATHS = CRAWLER_BLOCKS.boa;

function included(...patterns: readonly string[]): IncludeFinding {
  const [first = "", ...rest] = patterns;
  const placeOf = (pattern: string): { path: string; line: number; pattern: string } => (
    { path: "/var/aegir/config/includes/nginx_compact_include.conf", line: 37, pattern }
  );
  return { kind: "included", places: [placeOf(first), ...rest.map(placeOf)] };
}

const GOOD = included("/data/conf/nginx_high_load.c*");

Deno.test("maybeFlawOf() finds nothing wrong with the block of a BOA host, on or off", () => {
  assertEquals(PATHS, { on: "/data/conf/nginx_high_load.conf", off: "/data/conf/nginx_high_load_off.conf" });
  assertEquals(maybeFlawOf(PATHS, "off", GOOD), undefined);
  assertEquals(maybeFlawOf(PATHS, "on", GOOD), undefined);
});

Deno.test("maybeFlawOf() says why SPIDER could not switch the block", () => {
  assertEquals(maybeFlawOf(PATHS, "absent", GOOD), "absent");
  assertEquals(maybeFlawOf(PATHS, "both", GOOD), "both");
  assertEquals(maybeFlawOf(PATHS, "off", { kind: "none" }), "not-included");
  assertEquals(maybeFlawOf(PATHS, "off", included(PATHS.on)), "plain-include");
  assertEquals(
    maybeFlawOf(PATHS, "off", included("/data/conf/nginx_high_load.c*", PATHS.on)),
    "plain-include",
  );
  assertEquals(maybeFlawOf(PATHS, "off", included("/data/conf/*.conf")), "always-on");
});
