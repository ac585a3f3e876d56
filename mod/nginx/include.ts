/**
 * `include` lines of an nginx configuration.
 *
 *     include /etc/nginx/sites-enabled/*;
 *     include loadweir/nginx_high_load.c*;      # relative to the folder of the main file
 *
 * @see https://nginx.org/en/docs/ngx_core_module.html#include
 */

import { parseDirectives } from "./directive.ts";

/** One `include`. */
export interface NginxInclude {
  /** As written, without quotes: a path or a pattern of glob(3). */
  readonly pattern: string;
  /** Line of the directive, from 1. */
  readonly line: number;
}

/**
 * The `include` directives of a text, in their order. What is no valid configuration has some or none. Never
 * throws.
 */
export function parseIncludes(text: string): readonly NginxInclude[] {
  // Most files have none, and the word is found much faster than tokens are.
  if (!text.includes("include")) return [];
  const includes: NginxInclude[] = [];
  for (const { name, args, index } of parseDirectives(text)) {
    const [pattern] = args;
    if (name === "include" && pattern !== undefined) includes.push({ pattern, line: lineOf(text, index) });
  }
  return includes;
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/**
 * The absolute path or pattern that an `include` means.
 *
 * @param folder Folder of the main configuration, from which relative ones count, without closing slash
 */
export function resolveInclude(pattern: string, folder: string): string {
  return (pattern.startsWith("/") ? pattern : `${folder}/${pattern}`).replace(/\/{2,}/g, "/");
}
