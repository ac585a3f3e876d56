/** What `loadweir print` has: the files of a host, and the manual page, which only the command line can make. */

import { SHIPPED } from "../../mod/ship/shipped.ts";
import { MAN_PATH, renderManPage } from "./man_page.ts";

/** Something that is printed. */
export interface Printed {
  readonly name: string;
  /** Where it belongs; undefined where it is to be run and kept nowhere. */
  readonly path: string | undefined;
  /** One line, lower case. */
  readonly summary: string;
  readonly text: () => string;
}

/** All of it, in alphabetical order. */
export function allPrinted(): readonly Printed[] {
  const man = { name: "man", path: MAN_PATH, summary: "manual page, section 8", text: renderManPage };
  return [...SHIPPED, man].sort((a, b) => a.name < b.name ? -1 : 1);
}
