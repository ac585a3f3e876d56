/**
 * A mail in the form of RFC 5322, for a program that sends what it is given as it stands.
 *
 * The writer is loaded when the first mail is sent: it would cost each start 12 ms and 2 MB.
 */

import type { Mail } from "../../mod/incident/mail.ts";

/** What is used of nodemailer's writer, which needs no permission and does not touch the network. */
interface MimeNode {
  readonly setHeader: (name: string, value: string) => void;
  readonly setContent: (text: string) => void;
  readonly build: (done: (error: Error | null, message?: Uint8Array) => void) => void;
}

/**
 * Renders a mail. There is no From: the host's mail system knows best what root is called outside.
 *
 * @returns ASCII with line ends as `\n`: other characters are encoded, long lines folded
 * @throws {Error} If it cannot be rendered
 */
export async function renderMessage(mail: Mail): Promise<string> {
  const { default: Node } = await import("nodemailer/mime-node") as unknown as {
    default: new (contentType: string) => MimeNode;
  };
  const node = new Node("text/plain; charset=utf-8");
  for (const [name, value] of headersOf(mail)) node.setHeader(name, value);
  node.setContent(mail.text);
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  node.build((error, message) => message === undefined ? reject(error) : resolve(message));
  return new TextDecoder().decode(await promise).replaceAll("\r\n", "\n");
}

/** The headers of a mail, as text that is not encoded yet. */
export function headersOf(mail: Mail): readonly (readonly [string, string])[] {
  const { to, subject, messageId, inReplyTo, wallMs } = mail;
  const thread = inReplyTo === undefined ? [] : [
    ["In-Reply-To", `<${inReplyTo}>`] as const,
    ["References", `<${inReplyTo}>`] as const,
  ];
  return [
    ["Date", new Date(wallMs).toUTCString().replace("GMT", "+0000")],
    ["To", to],
    ["Subject", subject],
    ["Message-ID", `<${messageId}>`],
    ...thread,
    // RFC 3834: no holiday answers, please.
    ["Auto-Submitted", "auto-generated"],
  ];
}
