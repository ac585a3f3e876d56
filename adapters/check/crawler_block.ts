/**
 * Looks at the crawler block: whether it is there, and whether nginx loads it. The text is searched: `nginx
 * -t` would write.
 */

import type { CrawlerBlockFinding } from "../../mod/check/findings.ts";
import { CRAWLER_BLOCKS, type CrawlerBlockState, NGINX_FOLDER } from "../../mod/nginx/crawler_block.ts";
import { findInclude } from "../../mod/nginx/include_search.ts";
import { maybeValue } from "../../mod/reading.ts";
import type { HostFiles } from "./host_files.ts";

/** What the sites of a BOA host include, by a way that leads through folders closed to the sandbox. */
const AEGIR_INCLUDES = "/var/aegir/config/includes";

/** Folders below one that are looked at; links can make a folder contain itself. */
const DEPTH_LIMIT = 8;

/** Files that are looked at, more than any host has sites. */
const FILE_LIMIT = 20_000;

/**
 * Looks for the block and the line that includes it. Never throws.
 *
 * @param mainPath Main configuration of nginx
 */
export function lookAtCrawlerBlock(
  profile: "generic" | "boa",
  host: HostFiles,
  mainPath = `${NGINX_FOLDER}/nginx.conf`,
): CrawlerBlockFinding {
  const paths = CRAWLER_BLOCKS[profile];
  const aegir = profile === "boa" ? filesBelow(AEGIR_INCLUDES, host) : [];
  const include = findInclude(paths.on, {
    paths: [...filesBelow(NGINX_FOLDER, host), ...aegir],
    entries: [mainPath, ...aegir],
    folder: mainPath.slice(0, mainPath.lastIndexOf("/")),
    maybeText: (path) => maybeValue(host.readText(path)),
  });
  return { paths, state: stateOf(host.exists(paths.on), host.exists(paths.off)), include };
}

function stateOf(isOn: boolean, isOff: boolean): CrawlerBlockState {
  if (isOn) return isOff ? "both" : "on";
  return isOff ? "off" : "absent";
}

function filesBelow(folder: string, host: HostFiles): readonly string[] {
  const files: string[] = [];
  let folders = [folder];
  for (let depth = 0; depth <= DEPTH_LIMIT && folders.length > 0; depth++) {
    const next: string[] = [];
    for (const path of folders) {
      for (const { name, isFile, isFolder } of host.list(path)) {
        if (isFile) files.push(`${path}/${name}`);
        if (isFolder) next.push(`${path}/${name}`);
      }
      if (files.length >= FILE_LIMIT) return files;
    }
    folders = next;
  }
  return files;
}
