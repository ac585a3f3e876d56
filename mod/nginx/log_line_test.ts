import { assertEquals } from "@std/assert";
import { isTriedAgain, parseEmergencies, parseTestProblem } from "./log_line.ts";

const LOG = `2026/11/29 19:31:09 [error] 77#77: *5 open() "/srv/[emerg]" failed (2: No such file or directory)
2026/11/29 19:31:10 [emerg] 1234#1234: bind() to 0.0.0.0:8080 failed (98: Address already in use)
2026/11/29 19:31:10 [notice] 1234#1234: try again to bind() after 500ms
2026/11/29 19:31:13 [emerg] 1234#1234: still could not bind()
`;

/** How `nginx -t` of Debian begins a warning and a failure. */
const DEBIAN = ["2026/11/29 22:06:30 [warn] 62#62:", "2026/11/29 22:06:30 [emerg] 62#62:"] as const;

Deno.test("parseEmergencies() takes lines of that level alone, with the process that wrote them", () => {
  assertEquals(parseEmergencies(LOG), [
    { pid: 1234, message: "bind() to 0.0.0.0:8080 failed (98: Address already in use)" },
    { pid: 1234, message: "still could not bind()" },
  ]);
  assertEquals(parseEmergencies("[emerg] 1#1: not at the start of a line"), []);
});

Deno.test("isTriedAgain() tells a busy port from giving up", () => {
  assertEquals(parseEmergencies(LOG).map(isTriedAgain), [true, false]);
});

Deno.test("parseTestProblem() gives the reason with file and line", () => {
  const problem = 'unknown directive "limt_req" in /etc/nginx/loadweir/nginx_high_load.conf:3';
  for (const [warn, emerg] of [["nginx: [warn]", "nginx: [emerg]"], DEBIAN]) {
    const stderr = [
      `${warn} conflicting server name "a" on 0.0.0.0:80, ignored`,
      `${emerg} ${problem}`,
      "nginx: configuration file /etc/nginx/nginx.conf test failed\n",
    ].join("\n");
    assertEquals(parseTestProblem(stderr), problem);
  }
});

Deno.test("parseTestProblem() keeps what has no reason in it, on one line", () => {
  assertEquals(parseTestProblem("Requires run access\n to nginx\n"), "Requires run access; to nginx");
});
