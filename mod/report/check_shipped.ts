/** The files of ours on a host, in words. */

import { bringsProcRoot, type CheckFindings } from "../check/findings.ts";
import { mountCommands } from "../check/proc_mount.ts";
import { printable } from "./printable.ts";

/**
 * One line for each file that is there, and one for those that are not: a host that is only audited has no need of them.
 */
export function shippedLines({ shipped }: CheckFindings): readonly string[] {
  const absent = shipped.filter(({ state }) => state === "absent").map(({ name }) => name);
  const lines = shipped.flatMap(({ name, path, state, cure, isTheirs, why }) => {
    switch (state) {
      case "absent":
        return [];
      case "current":
        return [`${name} ${path}: as this binary prints it`];
      case "differs": {
        const whose = isTheirs ? ", which is yours to change" : "";
        return [`${name} ${path}: not as this binary prints it${whose}`, `  to renew it, as root: ${cure}`];
      }
      case "unreadable":
        return [`${name} ${path}: ${printable(why ?? "unknown")}`];
    }
  });
  if (absent.length > 0) lines.push(`not installed: ${absent.join(", ")}; \`loadweir print NAME\` has them`);
  return lines;
}

/** How to make a proc root where there is none; empty where there is one. */
export function mountLines(findings: CheckFindings): readonly string[] {
  const { procRoot, container } = findings.sensors;
  if (procRoot !== undefined) return [];
  return [
    bringsProcRoot(findings)
      ? "there is no proc root here; the agent makes its own. For this shell, until the next boot, as root:"
      : "there is no proc root; this makes one until the next boot, as root:",
    ...mountCommands(container.kind !== undefined || container.hostLoad !== undefined).map((line) =>
      `  ${line}`
    ),
  ];
}
