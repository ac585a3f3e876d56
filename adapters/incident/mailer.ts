/**
 * Hands a mail to whatever program of the host sends mail.
 *
 * In this order: s-nail, as BOA does, which may know a mail server of its own; sendmail, whichever of its
 * many namesakes that is; mail, which takes plain ASCII from us because its kinds differ in everything else.
 */

import { messageOf } from "../../mod/errors.ts";
import type { Mail } from "../../mod/incident/mail.ts";
import type { RunCommand } from "../command.ts";
import { headersOf, renderMessage } from "./mail_message.ts";

/** What became of one attempt. */
export type MailOutcome =
  | { readonly kind: "sent"; readonly program: string }
  /** What each program said, as one line. */
  | { readonly kind: "failed"; readonly error: string };

/** Sends a mail. Never rejects. */
export type SendMail = (mail: Mail) => Promise<MailOutcome>;

/** What a mailer works with. */
export interface MailerPorts {
  readonly run: RunCommand;
  /** How long each program may take; a mail server that is asked directly may be slow. */
  readonly deadlineMs: number;
}

/** A program that sends mail, and how it is told to. */
interface MailProgram {
  readonly path: string;
  readonly argsOf: (mail: Mail) => readonly string[];
  readonly inputOf: (mail: Mail) => string | Promise<string>;
}

/**
 * Options of s-nail: wait for the mail system and exit with its code, keep no copy in root's home, and take
 * what it reads for UTF-8 whatever the locale. With `-t` the headers stand above the text.
 */
const S_NAIL_ARGUMENTS = [
  ...["-S", "sendwait", "-S", "nosave", "-S", "ttycharset=utf-8", "-S", "sendcharsets=utf-8", "-t"],
];

const SENDMAIL_PATHS = ["/usr/sbin/sendmail", "/usr/lib/sendmail"] as const;

const PROGRAMS: readonly MailProgram[] = [
  { path: "/usr/bin/s-nail", argsOf: () => S_NAIL_ARGUMENTS, inputOf: withRawHeaders },
  // -i: a line with a single dot does not end the mail.
  ...SENDMAIL_PATHS.map((path) => ({
    path,
    argsOf: ({ to }: Mail): readonly string[] => ["-i", to],
    inputOf: renderMessage,
  })),
  {
    path: "/usr/bin/mail",
    argsOf: ({ subject, to }) => ["-s", asciiOf(subject), to],
    inputOf: ({ text }) => asciiOf(text),
  },
];

/** All programs that a mail may be handed to. */
export const MAIL_PROGRAMS: readonly string[] = PROGRAMS.map(({ path }) => path);

/** Exit code of a program that is not there or could not be started. */
const NOT_STARTED = 127;

/** What a mail program says about its failure is shown so far, in characters. */
const COMPLAINT_LIMIT = 200;

/** A mailer that takes the first program which accepts the mail. */
export function createMailer({ run, deadlineMs }: MailerPorts): SendMail {
  async function attempt(program: MailProgram, mail: Mail): Promise<string | undefined> {
    const { path, argsOf, inputOf } = program;
    const stdin = await inputOf(mail);
    const { code, stdout, stderr, timedOut } = await run(path, argsOf(mail), { deadlineMs, stdin });
    if (timedOut) return `${path} took longer than ${deadlineMs} ms`;
    if (code === 0) return undefined;
    const complaint = `${stderr} ${stdout}`.replace(/\s+/g, " ").trim().slice(0, COMPLAINT_LIMIT);
    return code === NOT_STARTED ? "" : `${path} exited ${code}: ${complaint}`;
  }

  return async (mail: Mail): Promise<MailOutcome> => {
    const complaints: string[] = [];
    for (const program of PROGRAMS) {
      try {
        const complaint = await attempt(program, mail);
        if (complaint === undefined) return { kind: "sent", program: program.path };
        if (complaint !== "") complaints.push(complaint);
      } catch (error) {
        complaints.push(`${program.path}: ${messageOf(error)}`);
      }
    }
    const error = complaints.length === 0
      ? `none of ${MAIL_PROGRAMS.join(", ")} can be started (run: apt install s-nail)`
      : complaints.join("; ");
    return { kind: "failed", error };
  };
}

/** For a program that encodes headers itself. It sets the date, and refuses to be given one. */
function withRawHeaders(mail: Mail): string {
  const headers = headersOf(mail).filter(([name]) => name !== "Date");
  return `${headers.map(([name, value]) => `${name}: ${value}\n`).join("")}\n${mail.text}`;
}

function asciiOf(text: string): string {
  return text.replace(/[^\t\n\x20-\x7e]/gu, "?");
}
