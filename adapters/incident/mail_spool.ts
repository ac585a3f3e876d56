/**
 * Mails that are not sent yet, kept on disk: one file each, as
 * `1796155874000-loadweir.20261129T193114Z.1@web-1.json`, so that names sort by time.
 */

import { ParseError } from "../../mod/errors.ts";
import type { Mail } from "../../mod/incident/mail.ts";
import { parseJsonObject } from "../../mod/json_object.ts";
import { describeFileError } from "../atomic_file.ts";
import { deadlineOf } from "../deadline.ts";

/** A place for mails. Nothing here ever rejects. */
export interface MailSpool {
  /** Keeps a mail; gives what failed, as one line, or undefined. */
  readonly save: (mail: Mail) => Promise<string | undefined>;
  /** All that is kept, the oldest first. What cannot be read is removed. */
  readonly load: () => Promise<readonly Mail[]>;
  /** Forgets a mail; gives what failed, as one line, or undefined. */
  readonly remove: (mail: Mail) => Promise<string | undefined>;
}

/** How long to wait for a disk that does not answer: the mail itself matters more than its copy. */
const DEADLINE_MS = 2_000;

/** Far above any mail of ours. */
const SIZE_LIMIT_BYTES = 1 << 20;

/** Files of ours, finished or not. */
const NAME = /^\d+-loadweir\.[\w.@-]+\.json(?:\.new)?$/;

const KEYS = ["to", "subject", "messageId", "inReplyTo", "wallMs", "text"] as const;

/** A spool in a folder, which is made when it is missing. One program at a time uses it. */
export function createMailSpool(folder: string): MailSpool {
  async function write(mail: Mail): Promise<void> {
    const path = `${folder}/${nameOf(mail)}`;
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      await Deno.writeTextFile(`${path}.new`, JSON.stringify(mail), { mode: 0o600 });
      await Deno.rename(`${path}.new`, path);
    } catch (error) {
      await Deno.remove(`${path}.new`).catch(() => {});
      throw error;
    }
  }

  async function readAll(): Promise<readonly Mail[]> {
    const mails: Mail[] = [];
    for (const name of (await namesIn(folder)).sort()) {
      const mail = await readMail(`${folder}/${name}`);
      if (mail === undefined) await Deno.remove(`${folder}/${name}`).catch(() => {});
      else mails.push(mail);
    }
    return mails;
  }

  return {
    save: (mail) => attempt(`keep a mail in ${folder}`, folder, write(mail)),
    load: async () => await deadlineOf(DEADLINE_MS, readAll()).catch(() => undefined) ?? [],
    remove: (mail) => {
      const path = `${folder}/${nameOf(mail)}`;
      return attempt(`remove ${path}, which was sent`, path, removeIfThere(path));
    },
  };
}

async function attempt(what: string, path: string, work: Promise<void>): Promise<string | undefined> {
  try {
    const done = await deadlineOf(DEADLINE_MS, work.then(() => true));
    return done === true ? undefined : `Cannot ${what}: the disk does not answer`;
  } catch (error) {
    return `Cannot ${what}: ${describeFileError(error, path)}`;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isFile } of Deno.readDir(folder)) if (isFile && NAME.test(name)) names.push(name);
  return names;
}

/** The mail in a file, or undefined where there is none that is whole. */
async function readMail(path: string): Promise<Mail | undefined> {
  if (path.endsWith(".new") || (await Deno.stat(path)).size > SIZE_LIMIT_BYTES) return undefined;
  const text = await Deno.readTextFile(path);
  try {
    const json = parseJsonObject(text, path, KEYS);
    return {
      to: json.text("to"),
      subject: json.text("subject"),
      messageId: json.text("messageId"),
      inReplyTo: json.maybe("inReplyTo", json.text),
      wallMs: json.count("wallMs"),
      text: json.text("text"),
    };
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The message id holds only letters, digits and `.@-_`. */
function nameOf({ wallMs, messageId }: Mail): string {
  return `${wallMs}-${messageId}.json`;
}
