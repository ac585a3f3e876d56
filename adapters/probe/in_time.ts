/** Looks that may hang: none is waited for longer than it may take, and none is begun twice. */

import { messageOf } from "../../mod/errors.ts";
import { type CheckResult, unknown } from "../../mod/probe/check.ts";
import { deadlineOf } from "../deadline.ts";

/**
 * Makes a look that always comes to an end in time. Where one hangs, it goes on in the background, and until
 * it has come back the answer is unknown; what it says then is too old to be told.
 *
 * @param look The look itself, with what looks of one moment share; what it throws is told as unknown
 * @returns Never rejects
 */
export function inTime<Moment>(
  look: (moment: Moment) => CheckResult | Promise<CheckResult>,
  deadlineMs: number,
): (moment: Moment) => Promise<CheckResult> {
  let isUnderWay = false;

  async function lookOnce(moment: Moment): Promise<CheckResult> {
    isUnderWay = true;
    try {
      return await look(moment);
    } catch (error) {
      return unknown(`Cannot look: ${messageOf(error)}`);
    } finally {
      isUnderWay = false;
    }
  }

  return async (moment) => {
    if (isUnderWay) return unknown("the look before has not come back");
    return await deadlineOf(deadlineMs, lookOnce(moment)) ?? unknown(`took longer than ${deadlineMs} ms`);
  };
}
