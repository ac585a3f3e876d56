/** What stands in for a configuration that cannot be used. */

/** The last good settings with all tiers, or where there are none the defaults with SPIDER at most. */
export type StandIn =
  /** When they were taken, as `2026-11-29T19:31:05Z`. */
  | { readonly kind: "last-good"; readonly takenAt: string }
  /** Why the last good settings cannot be used; undefined where none are kept. */
  | { readonly kind: "spider-only"; readonly why: string | undefined };

/** What stands in, as a clause that "until the configuration is mended" may follow. */
export function standInText(standIn: StandIn): string {
  switch (standIn.kind) {
    case "last-good":
      return `the last good settings of ${standIn.takenAt} apply`;
    case "spider-only":
      return `no load is more than SPIDER${standIn.why === undefined ? "" : ` (${standIn.why})`}`;
  }
}
