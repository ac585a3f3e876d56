/** `loadweir run-tasks`: runs the hook of backend tasks when the load allows it. */

import { thresholdsOf } from "../../mod/config/thresholds.ts";
import { percentsOf, tierOf } from "../../mod/ladder/tier.ts";
import { whyMissing } from "../../mod/reading.ts";
import { runCommand } from "../command.ts";
import { runHook } from "../hooks.ts";
import { isRoot } from "../is_root.ts";
import { type Arguments, timeOf, UsageError } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit_code.ts";
import { openHost } from "./host.ts";
import { complain, print } from "./output.ts";
import { durationType } from "../../mod/config/values.ts";

const FOR = durationType(1_000, 86_400_000);

/** Runs the hook, unless the load is over the TASK threshold or unknown: then it is to be tried later. */
export async function runTasks(args: Arguments): Promise<ExitCode> {
  if (!isRoot()) throw new UsageError("run-tasks needs root: sudo loadweir run-tasks");
  const host = await openHost(args);
  const deadlineMs = timeOf(args, "for", FOR) ?? host.settings.config.tasksDeadlineMs;
  const { load } = await host.sampler.take("load");
  host.processes.close();
  if (load.kind !== "ok") {
    complain(`loadweir: tasks not run: the load is unknown: ${whyMissing(load)}`);
    return EXIT.tryLater;
  }
  const percents = percentsOf(load.value);
  const { taskPercent } = thresholdsOf(host.settings.config);
  if (percents.higherPercent > taskPercent) {
    const higher = percents.higherPercent.toFixed(1);
    complain(`loadweir: tasks not run: load ${higher} % is over the TASK threshold of ${taskPercent} %`);
    return EXIT.tryLater;
  }
  const payload = {
    wallMs: host.clock.wallMs(),
    host: Deno.hostname(),
    tier: tierOf(percents, host.settings.rules),
    load1Percent: percents.load1Percent,
    load5Percent: percents.load5Percent,
    reason: undefined,
    details: [],
    incidentId: undefined,
  };
  const outcome = await runHook("tasks", payload, { run: runCommand, deadlineMs, asRoot: true });
  switch (outcome.kind) {
    case "ran":
      print(outcome.output === "" ? "" : `${outcome.output}\n`);
      return outcome.code === 0 ? EXIT.ok : EXIT.failed;
    case "absent":
      throw new UsageError("there is no /etc/loadweir/hooks/tasks to run");
    case "refused":
      throw new UsageError(outcome.error);
    case "timed-out":
      complain(`loadweir: tasks ran longer than ${deadlineMs / 1000} s and were ended`);
      return EXIT.failed;
  }
}
