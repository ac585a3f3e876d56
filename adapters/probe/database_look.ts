/**
 * The look at the databases of this host: over their own sockets or loopback, without a login.
 *
 * PostgreSQL is asked whether it speaks TLS, which it answers and does not log. MySQL and MariaDB greet first;
 * whoever leaves after the greeting is counted among `Aborted_connects` and, in MariaDB, logged as a warning.
 * There is no way to leave unlogged but a login. It does not block the host: unix sockets and loopback are
 * exempt from the host cache. To log little, an answer counts for half a minute; only a database that does not
 * answer is asked at each look.
 */

import { parseMysqlGreeting } from "../../mod/database/mysql_greeting.ts";
import { parseSslAnswer, SSL_REQUEST } from "../../mod/database/postgres_ssl.ts";
import type { CheckResult } from "../../mod/probe/check.ts";
import { type DatabaseAnswer, type DatabaseLook, judgeDatabases } from "../../mod/probe/checks/database.ts";
import { failed, ok, type Reading } from "../../mod/reading.ts";
import type { Clock } from "../clock.ts";
import {
  addressText,
  type Asked,
  type Asker,
  createAsker,
  type LocalAddress,
  type Question,
} from "./local_socket.ts";

/** A database that is looked at. */
export interface DatabaseTarget {
  readonly kind: "mysql" | "postgresql";
  readonly address: LocalAddress;
}

/** Where the packages of distributions put their sockets: Debian, RHEL family; then PostgreSQL's on both. */
export const KNOWN_DATABASES: readonly DatabaseTarget[] = [
  { kind: "mysql", address: { kind: "unix", path: "/run/mysqld/mysqld.sock" } },
  { kind: "mysql", address: { kind: "unix", path: "/var/lib/mysql/mysql.sock" } },
  { kind: "postgresql", address: { kind: "unix", path: "/run/postgresql/.s.PGSQL.5432" } },
];

/** Looks at databases. */
export interface DatabaseChecks {
  /** Never rejects. */
  readonly look: () => Promise<CheckResult>;
  /** Hangs up. */
  readonly close: () => void;
}

/** A server says its first word before it does any work. */
const ANSWER_DEADLINE_MS = 1_000;

/** How long an answer counts. */
const KEEP_MS = 30_000;

/** One target and what is remembered of it. */
interface Watched {
  readonly target: DatabaseTarget;
  readonly asker: Asker<DatabaseAnswer>;
  /** The last good answer; monotonic. */
  answered: { readonly atMs: number; readonly answer: DatabaseAnswer } | undefined;
}

/**
 * Makes the look.
 *
 * @param configured Undefined is those with a known socket; of them, none is missed that has never answered
 */
export function createDatabaseChecks(
  configured: readonly DatabaseTarget[] | undefined,
  clock: Clock,
): DatabaseChecks {
  const all = (configured ?? KNOWN_DATABASES).map((target): Watched => ({
    target,
    asker: createAsker(target.address, () => questionFor(target)),
    answered: undefined,
  }));

  async function lookAt(watched: Watched): Promise<DatabaseLook> {
    const { target: { address }, asker } = watched;
    const name = addressText(address);
    const before = watched.answered;
    if (before !== undefined && clock.monotonicMs() - before.atMs < KEEP_MS) {
      return { name, answer: ok(before.answer) };
    }
    const answer = answerOf(await asker.ask(ANSWER_DEADLINE_MS));
    if (answer.kind === "ok" && answer.value.kind === "answered") {
      watched.answered = { atMs: clock.monotonicMs(), answer: answer.value };
    } else if (configured === undefined && before === undefined) {
      return { name, answer: failed(`${name} has not answered since loadweir looks`) };
    }
    return { name, answer };
  }

  return {
    async look(): Promise<CheckResult> {
      const watched = all.filter(({ target: { address }, answered }) =>
        configured !== undefined || answered !== undefined || isThere(address)
      );
      return judgeDatabases(await Promise.all(watched.map(lookAt)));
    },
    close(): void {
      for (const { asker } of all) asker.close();
    },
  };
}

function answerOf(asked: Asked<DatabaseAnswer>): Reading<DatabaseAnswer> {
  switch (asked.kind) {
    case "answered":
      return ok(asked.value);
    case "refused":
    case "missing":
      return ok({ kind: asked.kind });
    case "full":
      return ok({ kind: "queue-full" });
    case "timed-out":
      return ok({ kind: "timed-out", deadlineMs: ANSWER_DEADLINE_MS });
    case "failed":
      return failed(asked.error);
  }
}

function isThere(address: LocalAddress): boolean {
  if (address.kind === "tcp") return false;
  try {
    return Deno.lstatSync(address.path).isSocket ?? false;
  } catch {
    return false;
  }
}

function questionFor({ kind, address }: DatabaseTarget): Question<DatabaseAnswer> {
  const source = addressText(address);
  let received: Uint8Array = new Uint8Array();

  /** All that has come so far. */
  function added(chunk: Uint8Array): Uint8Array {
    const both = new Uint8Array(received.length + chunk.length);
    both.set(received);
    both.set(chunk, received.length);
    return received = both;
  }

  return kind === "mysql"
    ? {
      request: undefined,
      take: (chunk) => chunk && mysqlAnswer(added(chunk), source),
    }
    : {
      request: SSL_REQUEST,
      take: (chunk) =>
        chunk &&
        (parseSslAnswer(chunk, source) === undefined ? undefined : { kind: "answered", text: "PostgreSQL" }),
    };
}

function mysqlAnswer(bytes: Uint8Array, source: string): DatabaseAnswer | undefined {
  const greeting = parseMysqlGreeting(bytes, source);
  switch (greeting?.kind) {
    case undefined:
      return undefined;
    case "greeting":
      return { kind: "answered", text: greeting.version };
    case "full":
      return { kind: "full" };
    case "error":
      return { kind: "error", text: `${greeting.code} ${greeting.text}` };
  }
}
