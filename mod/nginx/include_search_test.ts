import { assertEquals } from "@std/assert";
import { findInclude, type IncludeFinding } from "./include_search.ts";

const TARGET = "/etc/nginx/loadweir/nginx_high_load.conf";
const LINE = "include /etc/nginx/loadweir/nginx_high_load.c*;";

/** Searches texts by path, from the main configuration on. */
function find(texts: Readonly<Record<string, string>>, read: string[] = []): IncludeFinding {
  return findInclude(TARGET, {
    paths: Object.keys(texts),
    entries: ["/etc/nginx/nginx.conf"],
    folder: "/etc/nginx",
    maybeText(path: string): string | undefined {
      read.push(path);
      return texts[path];
    },
  });
}

Deno.test("findInclude() follows patterns and relative paths from the main configuration", () => {
  const finding = find({
    "/etc/nginx/nginx.conf": "http {\n include sites-enabled/*; }",
    "/etc/nginx/sites-enabled/a": "server { include snippets/block.conf; }",
    "/etc/nginx/sites-enabled/b": `server {\n\n ${LINE} }`,
    "/etc/nginx/snippets/block.conf": LINE,
  });
  const pattern = "/etc/nginx/loadweir/nginx_high_load.c*";
  assertEquals(finding, {
    kind: "included",
    places: [
      { path: "/etc/nginx/sites-enabled/b", line: 3, pattern },
      { path: "/etc/nginx/snippets/block.conf", line: 1, pattern },
    ],
  });
});

Deno.test("findInclude() says that a line is in a file which nginx does not load", () => {
  const finding = find({
    "/etc/nginx/nginx.conf": "include sites-enabled/*;",
    "/etc/nginx/sites-available/a": LINE,
  });
  assertEquals([finding.kind, finding.kind === "unreached" && finding.places[0].path], [
    "unreached",
    "/etc/nginx/sites-available/a",
  ]);
});

Deno.test("findInclude() finds none where there is none, not even a main configuration", () => {
  assertEquals(find({}), { kind: "none" });
  assertEquals(find({ "/etc/nginx/nginx.conf": "include loadweir/nginx_high_load_off.conf;" }), {
    kind: "none",
  });
});

Deno.test("findInclude() looks at each file once, also where they include each other", () => {
  const read: string[] = [];
  find({
    "/etc/nginx/nginx.conf": "include a; include b;",
    "/etc/nginx/a": "include b; include /etc/nginx/*;",
    "/etc/nginx/b": "include a;",
    "/etc/nginx/c": LINE,
  }, read);
  assertEquals(read.toSorted(), ["/etc/nginx/a", "/etc/nginx/b", "/etc/nginx/c", "/etc/nginx/nginx.conf"]);
});
