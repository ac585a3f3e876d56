/**
 * Text as the macros of manual pages take it.
 *
 *     .TP
 *     \fBloadweir status\fR
 *     say where this host stands
 *
 * @see https://man7.org/linux/man-pages/man7/groff_man.7.html
 */

/** A dot or a quote at the start of a line, where it would be a command. */
const CONTROL = /^(?=[.'])/gm;

/** A text in which every character stands for itself. Lines stay lines. Never throws. */
export function troffText(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll("`", "\\(ga")
    .replace(CONTROL, "\\&");
}

/** The same in bold. */
export function troffBold(text: string): string {
  return `\\fB${troffText(text)}\\fR`;
}

/** A title between sections. */
export function troffSection(title: string): string {
  return `.SH ${title}\n`;
}

/** A term, in bold, and what it means, indented below it. */
export function troffTerm(term: string, meaning: string): string {
  return `.TP\n${troffBold(term)}\n${troffText(meaning)}\n`;
}

/** Lines that are typed as they stand, indented. */
export function troffExample(lines: string): string {
  return `.PP\n.RS 4\n.EX\n${troffText(lines)}\n.EE\n.RE\n`;
}

/** A paragraph. */
export function troffParagraph(text: string): string {
  return `.PP\n${troffText(text)}\n`;
}
