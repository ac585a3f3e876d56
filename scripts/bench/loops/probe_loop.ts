/** Looks at a site a number of times, so many milliseconds apart: what the agent does each tick, and nothing else. */

import { systemClock } from "../../../adapters/clock.ts";
import { createSiteProbe } from "../../../adapters/probe/site_probe.ts";
import { readSiteUrl } from "../../../mod/probe/site.ts";

const [url = "", expectedText = "", times = "1", everyMs = "0"] = Deno.args;
const reading = readSiteUrl(url);
if (reading.kind !== "ok") throw new Error(reading.problem);
const target = { ...reading.value, name: "bench", expectedText, deadlineMs: 4_000 };
const probe = createSiteProbe(target, { clock: systemClock, version: "bench" });
for (let left = Number(times); left > 0; left--) {
  const { result } = await probe.look();
  if (result.state !== "ok") throw new Error(result.evidence);
  if (Number(everyMs) > 0) await systemClock.sleep(Number(everyMs));
}
