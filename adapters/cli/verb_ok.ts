/** `loadweir ok-tasks` and `loadweir ok-spiders`: one question for scripts, answered by the exit code and one line. */

import { thresholdsOf } from "../../mod/config/thresholds.ts";
import { percentsOf } from "../../mod/ladder/tier.ts";
import { whyMissing } from "../../mod/reading.ts";
import type { Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { openHost } from "./host.ts";
import { print } from "./output.ts";

/** Whether backend tasks may run now. An unknown load is a no: a task can wait. */
export function okTasks(args: Arguments): Promise<ExitCode> {
  return answer(args, "tasks", "TASK", (thresholds) => thresholds.taskPercent, EXIT.failed);
}

/** Whether crawlers may be served now. An unknown load is a yes: nothing is withheld on a guess. */
export function okSpiders(args: Arguments): Promise<ExitCode> {
  return answer(args, "spiders", "SPIDER", (thresholds) => thresholds.spiderPercent, EXIT.ok);
}

async function answer(
  args: Arguments,
  what: string,
  name: string,
  thresholdOf: (thresholds: ReturnType<typeof thresholdsOf>) => number,
  whenUnknown: ExitCode,
): Promise<ExitCode> {
  const host = await openHost(args);
  const { load } = await host.sampler.take("load");
  host.processes.close();
  if (load.kind !== "ok") {
    print(`${what} ${whenUnknown === EXIT.ok ? "ok" : "not ok"}: the load is unknown: ${whyMissing(load)}\n`);
    return whenUnknown;
  }
  const threshold = thresholdOf(thresholdsOf(host.settings.config));
  const { load1Percent, load5Percent, higherPercent } = percentsOf(load.value);
  const isOver = higherPercent > threshold;
  print(
    `${what} ${isOver ? "not ok" : "ok"}: load 1m ${load1Percent.toFixed(1)} %, 5m ${
      load5Percent.toFixed(1)
    } %, ` +
      `${isOver ? "over" : "not over"} the ${name} threshold of ${threshold} %\n`,
  );
  return isOver ? EXIT.failed : EXIT.ok;
}
