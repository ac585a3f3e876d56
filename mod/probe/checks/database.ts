/**
 * Whether the databases of this host answer. A connection alone says little: the kernel takes it for a server
 * that hangs. What counts is what the server itself says first.
 */

import type { Reading } from "../../reading.ts";
import { bad, type CheckResult, fine, maybeWorst, unknown } from "../check.ts";
import { judged } from "./judge.ts";

/** What became of one question. */
export type DatabaseAnswer =
  /** It said what a server says that takes logins. */
  | { readonly kind: "answered"; readonly text: string }
  /** It has no place for one more: up, and serving those that it has. */
  | { readonly kind: "full" }
  /** Its queue of connections has no place either: it does not even say so. */
  | { readonly kind: "queue-full" }
  /** It runs, and said this instead of a greeting; that can be about us alone. */
  | { readonly kind: "error"; readonly text: string }
  | { readonly kind: "timed-out"; readonly deadlineMs: number }
  | { readonly kind: "refused" }
  | { readonly kind: "missing" };

/** One look at one database. */
export interface DatabaseLook {
  /** Where it was asked: `/run/mysqld/mysqld.sock`. */
  readonly name: string;
  /** Failed where nothing can be said, as without the right to connect. */
  readonly answer: Reading<DatabaseAnswer>;
}

/**
 * The worst of some databases. Never throws.
 *
 * @param databases None is without fault: then this host has none that should be there
 */
export function judgeDatabases(databases: readonly DatabaseLook[]): CheckResult {
  return maybeWorst(databases.map(judgeOne)) ?? fine("no database is looked at");
}

function judgeOne({ name, answer }: DatabaseLook): CheckResult {
  return judged(answer, (said) => {
    switch (said.kind) {
      case "answered":
        return fine(`${name} answers: ${said.text}`);
      case "full":
        return bad("warn", `${name} has no place for another connection`);
      case "queue-full":
        return bad("drain", `${name} does not take the connections that wait for it`);
      case "error":
        return unknown(`${name} says: ${said.text}`);
      case "timed-out":
        return bad("drain", `${name} takes connections and says nothing within ${said.deadlineMs} ms`);
      case "refused":
        return bad("drain", `nobody listens at ${name}`);
      case "missing":
        return bad("drain", `there is no ${name}`);
    }
  });
}
