/**
 * The units that a template makes.
 *
 *     web@.service      web@1.service, web@2.service
 */

/** Without leading zeros: `web@01.service` is another unit than `web@1.service`. */
const INDEX = /^(?:0|[1-9]\d{0,4})$/;

/** The unit of a template with an index. Never throws. */
export function tierUnit(template: string, index: number): string {
  return template.replace("@.", `@${index}.`);
}

/** The pattern by which systemd finds all units of a template. Never throws. */
export function tierPattern(template: string): string {
  return template.replace("@.", "@*.");
}

/** The index of a unit of a template; undefined for a unit of something else. Never throws. */
export function maybeTierIndex(template: string, unit: string): number | undefined {
  const at = template.indexOf("@.");
  if (at < 0) return undefined;
  const suffix = template.slice(at + 1);
  if (!unit.startsWith(template.slice(0, at + 1)) || !unit.endsWith(suffix)) return undefined;
  const index = unit.slice(at + 1, unit.length - suffix.length);
  return INDEX.test(index) ? Number(index) : undefined;
}
