/** Compares the files of ours on the host with what this binary prints. */

import type { ShippedFinding } from "../../mod/check/findings.ts";
import { CRAWLER_BLOCKS } from "../../mod/nginx/crawler_block.ts";
import { whyMissing } from "../../mod/reading.ts";
import type { ServiceManager } from "../../mod/services/ownership.ts";
import { SHIPPED, type ShippedFile } from "../../mod/ship/shipped.ts";
import type { HostFiles } from "./host_files.ts";

/**
 * The files that belong on a host of this kind and can be compared, each as it stands. Never throws.
 *
 * @param manager What manages the services of the host
 * @param profile BOA has a crawler block of its own
 */
export function lookAtShipped(
  manager: ServiceManager,
  profile: "generic" | "boa",
  host: HostFiles,
): readonly ShippedFinding[] {
  const kind = manager === "systemd" ? "systemd" : "sysv";
  return SHIPPED.flatMap((file) => {
    const { name, path } = file;
    // Settings are for people to change, and are judged as such.
    if (path === undefined || name === "config") return [];
    if (file.manager !== "any" && file.manager !== kind) return [];
    if (name === "nginx-block" && profile === "boa") return [];
    const { on, off } = CRAWLER_BLOCKS.generic;
    const place = path === off && host.exists(on) ? on : path;
    return [findingOf(file, place, host)];
  });
}

function findingOf(
  { name, text, isTheirs, afterwards }: ShippedFile,
  path: string,
  host: HostFiles,
): ShippedFinding {
  const then = afterwards === "" ? "" : ` && ${afterwards}`;
  const base = { name, path, isTheirs, cure: `loadweir print ${name} >${path}${then}` };
  const reading = host.readText(path);
  switch (reading.kind) {
    case "ok":
      return { ...base, state: reading.value === text() ? "current" : "differs", why: undefined };
    case "absent":
      return { ...base, state: "absent", why: undefined };
    case "failed":
      return { ...base, state: "unreadable", why: whyMissing(reading) };
  }
}
