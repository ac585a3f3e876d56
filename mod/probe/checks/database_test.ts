import { assertEquals } from "@std/assert";
import { failed, ok } from "../../reading.ts";
import { type DatabaseAnswer, type DatabaseLook, judgeDatabases } from "./database.ts";

function look(answer: DatabaseAnswer): DatabaseLook {
  return { name: "/run/mysqld/mysqld.sock", answer: ok(answer) };
}

const ANSWERED = look({ kind: "answered", text: "10.11" });

const JUDGED: readonly (readonly [DatabaseAnswer, string, string])[] = [
  [{ kind: "answered", text: "10.11" }, "ok", "/run/mysqld/mysqld.sock answers: 10.11"],
  [{ kind: "full" }, "warn", "/run/mysqld/mysqld.sock has no place for another connection"],
  [{ kind: "queue-full" }, "drain", "/run/mysqld/mysqld.sock does not take the connections that wait for it"],
  [{ kind: "error", text: "blocked" }, "unknown", "/run/mysqld/mysqld.sock says: blocked"],
  [
    { kind: "timed-out", deadlineMs: 1_000 },
    "drain",
    "/run/mysqld/mysqld.sock takes connections and says nothing within 1000 ms",
  ],
  [{ kind: "refused" }, "drain", "nobody listens at /run/mysqld/mysqld.sock"],
  [{ kind: "missing" }, "drain", "there is no /run/mysqld/mysqld.sock"],
];
for (const [answer, severity, evidence] of JUDGED) {
  Deno.test(`judgeDatabases() takes ${answer.kind} for ${severity}`, () => {
    const result = judgeDatabases([ANSWERED, look(answer)]);
    assertEquals(result.state === "bad" ? result.severity : result.state, severity);
    assertEquals(result.evidence, evidence);
  });
}

Deno.test("judgeDatabases() says nothing bad of a host without databases, and nothing of one not asked", () => {
  assertEquals(judgeDatabases([]).state, "ok");
  assertEquals(judgeDatabases([{ name: "x", answer: failed("may not connect") }]), {
    state: "unknown",
    evidence: "may not connect",
  });
});
