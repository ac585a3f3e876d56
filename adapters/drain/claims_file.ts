/** The claims on disk: in `/run`, so that a reboot forgets them, and a restart of the agent does not. */

import {
  ALL_CLAIMS,
  NO_CLAIMS,
  OTHER_OWNER,
  parseClaims,
  type PingClaims,
  type PingOwner,
  renderClaims,
} from "../../mod/drain/claims.ts";
import { writeAtomically, type WriteOutcome } from "../atomic_file.ts";
import { removeQuietly } from "../quiet_file.ts";

/** Folder of the claims. */
export const CLAIMS_FOLDER = "/run/loadweir/state";

/** The claims of one owner. */
export interface ClaimsFile {
  readonly owner: PingOwner;
  /** What this owner claims. Read once: nobody else writes it. */
  readonly own: () => PingClaims;
  /** What the other owner claims, read anew each time. */
  readonly others: () => PingClaims;
  /** Writes down what this owner claims, before it is so and after it is no more. Never throws. */
  readonly write: (claims: PingClaims) => WriteOutcome;
}

/** Opens the claims of an owner. Never throws. */
export function openClaims(owner: PingOwner, boot: string, folder = CLAIMS_FOLDER): ClaimsFile {
  const path = pathOf(owner);
  let own: PingClaims | undefined;

  function pathOf(whose: PingOwner): string {
    return `${folder}/pings-${whose}.json`;
  }

  function read(whose: PingOwner, unreadable: PingClaims): PingClaims {
    const place = pathOf(whose);
    try {
      return parseClaims(Deno.readTextFileSync(place), place, boot);
    } catch (error) {
      return error instanceof Deno.errors.NotFound ? NO_CLAIMS : unreadable;
    }
  }

  return {
    owner,
    own: () => own ??= read(owner, ALL_CLAIMS),
    // Those of the other one only keep us from setting something back, which a torn file must not do for ever.
    others: () => read(OTHER_OWNER[owner], NO_CLAIMS),
    write(claims: PingClaims): WriteOutcome {
      const isNothing = claims.sysctl.length === 0 && !claims.ufw;
      if (isNothing && removeQuietly(path)) {
        own = claims;
        return { kind: "ok" };
      }
      const outcome = writeAtomically(path, renderClaims(claims, boot), { durable: false });
      if (outcome.kind === "ok") own = claims;
      return outcome;
    },
  };
}
