/** What the status page knows: it is told of each evaluation, keeps an hour of loads, and draws when somebody asks. */

import type { Config } from "../../mod/config/config.ts";
import type { AppConfig, InstanceConfig } from "../../mod/config/pressure_config.ts";
import type { LadderRules } from "../../mod/ladder/rules.ts";
import { type CheckTimes, followChecks } from "../../mod/page/check_standing.ts";
import { createLoadHistory } from "../../mod/page/load_history.ts";
import { pageReply, statusReply } from "../../mod/page/page.ts";
import type { PageModel } from "../../mod/page/page_model.ts";
import { pageModel } from "../../mod/page/page_of_now.ts";
import { noteDecision, notePressure, type RecentEvaluation } from "../../mod/page/recent.ts";
import { isPressureWatched } from "../../mod/pressure/config_rules.ts";
import type { PressureEvaluation } from "../../mod/pressure/pressure.ts";
import type { HttpPage, HttpPages, HttpReply } from "../../mod/probe/outlets/reply.ts";
import type { ProbeVerdict } from "../../mod/probe/verdict.ts";
import type { AgentState } from "../../mod/report/state.ts";
import type { Pass } from "../agent.ts";
import type { Clock } from "../clock.ts";

/** What the page is made with. */
export interface StatusPagePorts {
  readonly clock: Clock;
  readonly version: string;
  /** Where the figures come from, in words. */
  readonly source: string;
  /** The settings of now. */
  readonly config: () => Config;
  readonly rules: () => LadderRules;
  /** The last pass and what is held now; undefined before the first one. */
  readonly state: () => AgentState | undefined;
  readonly instances: () => readonly InstanceConfig[];
  readonly apps: () => readonly AppConfig[];
}

/** The page. Being told costs a pass a few microseconds; nothing is drawn before somebody asks. */
export interface StatusPage {
  readonly pages: HttpPages;
  readonly notePass: (pass: Pass) => void;
  readonly noteVerdict: (verdict: ProbeVerdict) => void;
  /** Undefined is that nothing is watched any more. */
  readonly notePressure: (evaluation: PressureEvaluation | undefined) => void;
}

/** For who came by a name that points here: a site that a browser shows could have sent it. */
const FOREIGN_NAME: HttpReply = {
  status: 421,
  type: "text/plain",
  body:
    "This page answers to an address or to localhost, as http://127.0.0.1:9807/, and not to another name: " +
    "open it so, let the proxy in front of it send such a Host, or set [outlets] page = everywhere\n",
};

/** Opens a page that knows nothing yet. */
export function openStatusPage(ports: StatusPagePorts): StatusPage {
  const { clock } = ports;
  const host = Deno.hostname();
  const history = createLoadHistory();
  let recent: readonly RecentEvaluation[] = [];
  let checkTimes: CheckTimes = new Map();
  let latest: Pass | undefined;
  let verdict: ProbeVerdict | undefined;
  let pressure: PressureEvaluation | undefined;

  function modelOfNow(): PageModel {
    const nowBootMs = clock.monotonicMs();
    return pageModel({
      version: ports.version,
      host,
      source: ports.source,
      nowBootMs,
      nowWallMs: clock.wallMs(),
      rules: ports.rules(),
      state: ports.state(),
      decision: latest?.decision,
      spans: history.spans(nowBootMs),
      verdict,
      checkTimes,
      pressure,
      isPressureWatched: isPressureWatched({
        config: ports.config(),
        instances: ports.instances(),
        apps: ports.apps(),
      }),
      recent,
    });
  }

  /** A page of who may see it. */
  function guarded(reply: (model: PageModel) => HttpReply): HttpPage {
    return {
      readsHost: true,
      reply: ({ isLoopback, usesOwnName }) => {
        const { pageAccess } = ports.config();
        if (pageAccess === "everywhere") return reply(modelOfNow());
        if (pageAccess === "off" || !isLoopback) return undefined;
        return usesOwnName ? reply(modelOfNow()) : FOREIGN_NAME;
      },
    };
  }

  return {
    pages: new Map([["/", guarded(pageReply)], ["/status.json", guarded(statusReply)]]),
    notePass(pass): void {
      const { decision, sample, rules } = pass;
      latest = pass;
      history.note({
        atMs: sample.monotonicMs,
        load1Percent: decision.load1Percent,
        load5Percent: decision.load5Percent,
        isHeld: decision.paused,
      });
      recent = noteDecision(recent, decision, rules, sample.wallMs);
    },
    noteVerdict(next): void {
      verdict = next;
      checkTimes = followChecks(checkTimes, next);
    },
    notePressure(evaluation): void {
      pressure = evaluation;
      if (evaluation !== undefined) recent = notePressure(recent, evaluation);
    },
  };
}
