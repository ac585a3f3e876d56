/** Renders the manual page from what `--help`, the permissions and the printed files are made from. */

import { HOOK_FOLDER } from "../../mod/hooks/hook.ts";
import { PERMISSIONS } from "../../mod/permissions.ts";
import { LIBRARY_FOLDER, LOG_FOLDER, PROGRAM, STATE_FOLDER } from "../../mod/ship/places.ts";
import { SHIPPED } from "../../mod/ship/shipped.ts";
import {
  troffBold,
  troffExample,
  troffParagraph,
  troffSection,
  troffTerm,
  troffText,
} from "../../mod/ship/troff.ts";
import { BARRACUDA_PATH } from "../config_files.ts";
import { JOURNAL_PATH } from "../journal.ts";
import { LEDGER_PATH } from "../ledger_file.ts";
import { PRESSURE_JOURNAL_PATH } from "../pressure/pressure_journal.ts";
import { EXIT_MEANINGS } from "./exit_code.ts";
import { FIRST_EXAMPLES, PURPOSE, spelled } from "./help.ts";
import { COMMON_FLAGS, type Verb } from "./verb.ts";
import { VERBS } from "./verbs.ts";
import { VERSION } from "./version.ts";

/** Where it belongs. */
export const MAN_PATH = "/usr/local/share/man/man8/loadweir.8";

/** Files and folders beside those that are printed, as people meet them. */
const PLACES: readonly (readonly [path: string, what: string])[] = [
  [PROGRAM, "the program"],
  [BARRACUDA_PATH, "settings of a BOA host, on top of loadweir.ini"],
  [HOOK_FOLDER, "hooks: programs of root that run after something happened"],
  [STATE_FOLDER, "what is kept while the host is up"],
  [LEDGER_PATH, "what is held, why, and what ran before"],
  [LIBRARY_FOLDER, "last good settings, recordings, mails that wait"],
  [`${LOG_FOLDER}/incident.log`, "incidents"],
  [JOURNAL_PATH, "every pass of the agent, for replay and explain"],
  [PRESSURE_JOURNAL_PATH, "every evaluation of pressure, for replay and explain"],
];

/** Renders the page, in section 8. Never throws. */
export function renderManPage(): string {
  return [
    `.\\" Printed by \`loadweir print man\`; belongs to ${MAN_PATH}\n`,
    `.TH LOADWEIR 8 "" "loadweir ${troffText(VERSION)}" "System Administration"\n`,
    // No hyphens that nobody typed, and no blanks to fill a line: flags and paths are to be copied.
    ".nr HY 0\n.ad l\n",
    troffSection("NAME"),
    `loadweir \\- ${troffText(PURPOSE)}\n`,
    troffSection("SYNOPSIS"),
    `${troffBold("loadweir")} \\fIVERB\\fR [\\fIFLAGS\\fR]\n`,
    troffSection("DESCRIPTION"),
    troffText(DESCRIPTION),
    troffSection("VERBS"),
    ...VERBS.map(verbText),
    troffSection("FLAGS OF EVERY VERB"),
    ...COMMON_FLAGS.map((flag) => troffTerm(spelled(flag), flag.help)),
    troffSection("EXIT STATUS"),
    ...EXIT_MEANINGS.map(([code, meaning]) => troffTerm(String(code), meaning)),
    troffSection("FILES"),
    ...filesOfUse().map(([path, what]) => troffTerm(path, what)),
    troffSection("ENVIRONMENT"),
    ...PERMISSIONS.filter(({ kind }) => kind === "env").map(({ value, why }) => troffTerm(value, why)),
    troffTerm("NO_COLOR", "when set, no colours on a terminal"),
    troffSection("EXAMPLES"),
    ...FIRST_EXAMPLES.map(([command, purpose]) => troffTerm(command, purpose)),
  ].join("");
}

const DESCRIPTION = `Both load averages, of 1 and of 5 minutes, are divided by the CPUs that are online.
Above SPIDER crawlers are blocked, above MAX nginx and php-fpm are paused, above CRIT runaways are ended first.
A tier must still be passed nine seconds later, or nothing happens.
Once both loads are below the resume level everything is given back.
`;

function verbText({ name, operands, summary, details, flags, examples }: Verb): string {
  return [
    `.SS ${troffText(`${name} ${operands}`.trimEnd())}\n`,
    `${troffText(`${capitalized(summary)}.`)}\n`,
    troffParagraph(details),
    ...flags.map((flag) => troffTerm(spelled(flag), flag.help)),
    ...examples.map(([command, purpose]) =>
      troffParagraph(`${capitalized(purpose)}:`) + troffExample(command)
    ),
  ].join("");
}

/** Those that are printed, and the others, by path. */
function filesOfUse(): readonly (readonly [path: string, what: string])[] {
  const shipped = SHIPPED.flatMap(({ path, summary }) =>
    path === undefined ? [] : [[path, summary] as const]
  );
  return [...shipped, ...PLACES].sort(([a], [b]) => a < b ? -1 : 1);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
