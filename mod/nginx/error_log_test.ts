import { assertEquals } from "@std/assert";
import { findErrorLogs } from "./error_log.ts";

/** Searches texts by path. */
function find(texts: Readonly<Record<string, string>>): readonly string[] {
  return findErrorLogs({
    mainPath: "/etc/nginx/nginx.conf",
    filesIn: (folder) => Object.keys(texts).filter((path) => path.slice(0, path.lastIndexOf("/")) === folder),
    maybeText: (path) => texts[path],
  });
}

Deno.test("findErrorLogs() takes what stands outside of blocks, and not what is of requests alone", () => {
  assertEquals(
    find({
      "/etc/nginx/nginx.conf": "error_log /var/log/nginx/main.log warn;\nhttp { error_log /srv/http.log; }",
    }),
    ["/var/log/nginx/main.log"],
  );
});

Deno.test("findErrorLogs() has the default where none is named", () => {
  for (const text of ["http { error_log /srv/http.log; }", ""]) {
    assertEquals(find({ "/etc/nginx/nginx.conf": text }), ["/var/log/nginx/error.log"], text);
  }
  assertEquals(find({}), ["/var/log/nginx/error.log"]);
});

Deno.test("findErrorLogs() follows includes outside of blocks, patterns and circles too", () => {
  assertEquals(
    find({
      "/etc/nginx/nginx.conf": "include main.d/*.conf; include nginx.conf; http { include site; }",
      "/etc/nginx/main.d/a.conf": "error_log /var/log/own.log; include /etc/nginx/main.d/*;",
      "/etc/nginx/main.d/b.conf": "error_log /srv/b.log; error_log /var/log/own.log;",
      "/etc/nginx/site": "error_log /srv/site.log;",
    }),
    ["/var/log/own.log", "/srv/b.log"],
  );
});

Deno.test("findErrorLogs() leaves out what is no file, and paths that count from an unknown folder", () => {
  for (const target of ["syslog:server=10.0.0.1", "stderr", "memory:32m", "logs/error.log"]) {
    assertEquals(find({ "/etc/nginx/nginx.conf": `error_log ${target};` }), [], target);
  }
});
