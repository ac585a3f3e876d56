/**
 * The command line as a table: what can be typed, and what it does. Help, completions, suggestions and the parser all take
 * it from here. A new verb is one entry in alphabetical order and one file `verb_<name>.ts`.
 */

import { SHIPPED } from "../../mod/ship/shipped.ts";
import { PROBE_VERBS } from "./probe_verbs.ts";
import { CONFIG, JSON_LINES, PROCFS, type Verb } from "./verb.ts";

const LADDER_VERBS: readonly Verb[] = [
  {
    name: "check",
    operands: "",
    operandCount: [0, 0],
    summary: "say whether this host is set up, and every problem of its configuration",
    details:
      "Looks at the configuration, the sensors, the web tier, the processes that each pattern matches now, and the\n" +
      "permissions of this binary. Exit 0 good, 2 configuration, 3 this host cannot be guarded.",
    flags: [CONFIG, JSON_LINES, PROCFS],
    examples: [
      ["loadweir check", "before anything else on a new host"],
      ["loadweir check --config - < loadweir.ini", "before a file is put in place"],
    ],
    run: async (args) => (await import("./verb_check.ts")).check(args),
  },
  {
    name: "completions",
    operands: "bash|zsh|fish",
    operandCount: [1, 1],
    completes: ["bash", "zsh", "fish"],
    summary: "print completions for a shell",
    details: "Prints a script for the shell to read.",
    flags: [],
    examples: [["loadweir completions bash > /etc/bash_completion.d/loadweir", "for all users of a host"]],
    run: async (args) => (await import("./verb_completions.ts")).completions(args),
  },
  {
    name: "enforce",
    operands: "",
    operandCount: [0, 0],
    summary: "one armed pass, for cron; stays for as long as it holds the web",
    details:
      "Does what run does, once. When it pauses the web it stays until the web is given back. Needs root.",
    flags: [CONFIG, PROCFS],
    examples: [[
      "* * * * * root /usr/local/sbin/loadweir enforce",
      "in /etc/crontab, where nothing keeps a daemon alive",
    ]],
    run: async (args) => await (await import("./armed_run.ts")).runArmed(args, "enforce"),
  },
  {
    name: "explain",
    operands: "[N]",
    operandCount: [0, 1],
    summary: "say why the last N evaluations came out as they did, also where nothing was done",
    details:
      "Reads the journals of the armed agent in /var/log/loadweir and evaluates them once more: what was seen, the rule that\n" +
      "it turned on, how far it was from coming out otherwise, and what was done. N is 24 unless given.",
    flags: [
      CONFIG,
      JSON_LINES,
      { name: "ladder", help: "those of the ladder alone" },
      { name: "pressure", help: "those of pressure alone" },
    ],
    examples: [["loadweir explain", "the last minute"], [
      "loadweir explain 100 --json | jq .margin",
      "in a script",
    ]],
    run: async (args) => await (await import("./verb_explain.ts")).explain(args),
  },
  {
    name: "hold",
    operands: "[REASON]",
    operandCount: [0, 1],
    summary: "pause the web by hand, for a time",
    details:
      "Asks the running agent, which gives the web back when the time is over, whatever the load. Needs root.",
    flags: [CONFIG, { name: "for", value: "TIME", help: "how long (default 30m)" }, PROCFS],
    examples: [['loadweir hold --for 10m "moving the database"', "and it comes back by itself"]],
    run: async (args) => await (await import("./verb_by_hand.ts")).hold(args),
  },
  {
    name: "ok-spiders",
    operands: "",
    operandCount: [0, 0],
    summary: "tell whether crawlers may be served now: exit 0 yes, 1 no",
    details:
      "No while either load is over the SPIDER threshold. An unknown load is a yes: nothing is withheld on a guess.\n" +
      "Prints one line of why.",
    flags: [CONFIG, PROCFS],
    examples: [["loadweir ok-spiders && start-crawl", "in a script"]],
    run: async (args) => (await import("./verb_ok.ts")).okSpiders(args),
  },
  {
    name: "ok-tasks",
    operands: "",
    operandCount: [0, 0],
    summary: "tell whether backend tasks may run now: exit 0 yes, 1 no",
    details:
      "No while either load is over the TASK threshold, or unknown: a task can wait. Prints one line of why.",
    flags: [CONFIG, PROCFS],
    examples: [["loadweir ok-tasks && run-queue", "at the head of a cron job"]],
    run: async (args) => (await import("./verb_ok.ts")).okTasks(args),
  },
  {
    name: "pressure",
    operands: "",
    operandCount: [0, 0],
    summary: "say which tier is the bottleneck, and whether scaling is the answer",
    details:
      "Shows what the running agent found; without one, or with --config, it looks for itself, which takes the time of one\n" +
      "window and changes nothing. What is watched is set in [instance:NAME], [app:NAME] and [tier].",
    flags: [
      CONFIG,
      JSON_LINES,
      { name: "once", help: "one evaluation, then end (default)" },
      PROCFS,
      { name: "watch", help: "go on until interrupted; on a terminal re-drawn in place" },
    ],
    examples: [
      ["loadweir pressure", "what the bottleneck is now"],
      ["loadweir pressure --watch", "live"],
      ["loadweir pressure --json | jq .decided.class", "in a script"],
    ],
    run: async (args) => await (await import("./verb_pressure.ts")).pressure(args),
  },
  {
    name: "print",
    operands: "[NAME]",
    operandCount: [0, 1],
    completes: ["man", ...SHIPPED.map(({ name }) => name)].sort(),
    summary: "print a file that belongs to loadweir: unit, init script, settings and others",
    details:
      "Without a name it lists them, with where each belongs. Nothing is ever written: put a file in place yourself.",
    flags: [],
    examples: [
      ["loadweir print", "what there is"],
      ["sudo loadweir print unit | sudo tee /etc/systemd/system/loadweir.service", "put one in place"],
      ["loadweir print man | man -l -", "read the manual page"],
      ["loadweir print unit | diff /etc/systemd/system/loadweir.service -", "what has changed"],
    ],
    run: async (args) => (await import("./verb_print.ts")).printFile(args),
  },
  {
    name: "record",
    operands: "NAME",
    operandCount: [1, 1],
    summary: "record this host for a replay, under /var/lib/loadweir/recordings",
    details:
      "Writes NAME/trace.jsonl, one sample a line, and NAME/proc, what the kernel said at the start. Command lines are\n" +
      "cut to program and script names. Ends after the time given, or on Ctrl-C.",
    flags: [
      CONFIG,
      { name: "every", value: "TIME", help: "time between samples (default 5s)" },
      { name: "for", value: "TIME", help: "how long to record (default 10m)" },
      PROCFS,
    ],
    examples: [
      ["loadweir record monday --for 24h", "a day at the ladder's own pace"],
      ["loadweir replay /var/lib/loadweir/recordings/monday/trace.jsonl --set ladder.max=4.5", "what if"],
    ],
    run: async (args) => (await import("./verb_record.ts")).record(args),
  },
  {
    name: "release",
    operands: "[REASON]",
    operandCount: [0, 1],
    summary: "give back everything that is held, now",
    details:
      "Asks the running agent. Without one it reads the ledger and starts what was stopped. Needs root.",
    flags: [CONFIG, {
      name: "left",
      help: "not what an agent holds that is at work, as units and timers want it",
    }, PROCFS],
    examples: [["loadweir release", "after the agent was removed, or when in doubt"]],
    run: async (args) => await (await import("./verb_by_hand.ts")).release(args),
  },
  {
    name: "replay",
    operands: "TRACE|-",
    operandCount: [1, 1],
    completes: "file",
    summary: "run the ladder, or with --pressure pressure, over a recorded trace",
    details:
      "Prints what would have been done and why, and what it would have cost. With - the trace comes from standard\n" +
      "input, as one must that is in neither /var/lib/loadweir nor /var/log/loadweir. The rules are those of the live\n" +
      "agent: there is no second implementation. The journal that an agent keeps in /var/log/loadweir brings its own\n" +
      "settings, and is held against what was decided then: exit 1 when it comes out otherwise. With --pressure each\n" +
      'line is {"id": ..., "input": {...}}, as in pressure.jsonl beside that journal.',
    flags: [
      CONFIG,
      { name: "json", help: "print one decision a line as JSON, and nothing else (default text for people)" },
      { name: "pressure", help: "evaluate lines of pressure instead of the ladder" },
      {
        name: "set",
        value: "SECTION.KEY=VALUE",
        repeats: true,
        help: "replay with another setting, such as ladder.max=5; may be repeated",
      },
    ],
    examples: [
      ["loadweir replay /var/log/loadweir/journal.jsonl", "what the agent saw and did, once more"],
      ["loadweir replay - < night.jsonl", "read what would have happened"],
      ["loadweir replay - --set ladder.max=5 --json < night.jsonl | jq .actions", "with another threshold"],
      ["zcat week.jsonl.gz | loadweir replay -", "from a pipe"],
      [
        "loadweir replay --pressure /var/log/loadweir/pressure.jsonl --set pressure.scale_out_above=0.7",
        "what if",
      ],
    ],
    run: async (args) => (await import("./verb_replay.ts")).replay(args),
  },
  {
    name: "resume",
    operands: "[REASON]",
    operandCount: [0, 1],
    summary: "give the web back by hand, and keep it up for a time",
    details:
      "Asks the running agent. Until the time is over the web is not paused, whatever the load. Needs root.",
    flags: [
      CONFIG,
      { name: "for", value: "TIME", help: "how long it is not paused again (default 30m)" },
      PROCFS,
    ],
    examples: [['loadweir resume --for 1h "the sale must go on"', "and after that the ladder decides again"]],
    run: async (args) => await (await import("./verb_by_hand.ts")).resume(args),
  },
  {
    name: "run",
    operands: "",
    operandCount: [0, 0],
    summary: "guard this host; with --dry-run only say what would be done",
    details:
      "Armed, it needs root, and gives everything back when it is ended by SIGTERM; SIGHUP reads the configuration again.\n" +
      "A configuration that cannot be used does not end it: the last good one applies until it is mended.\n" +
      "With --dry-run nothing is changed: on a terminal a panel is re-drawn in place, in a pipe there is one line of\n" +
      "evidence a pass. --every, --json, --once and --passes are refused without --dry-run.",
    flags: [
      CONFIG,
      { name: "dry-run", help: "change nothing: say what would be done and why" },
      {
        name: "every",
        value: "TIME",
        help: "time from one pass to the next (default [ladder] interval, 5s)",
      },
      JSON_LINES,
      { name: "once", help: "one pass, with its re-check if it asks for one, then end" },
      { name: "passes", value: "N", help: "end after N passes (default without end)" },
      PROCFS,
    ],
    examples: [
      ["loadweir run --dry-run", "watch"],
      ["loadweir run --dry-run --once", "look once"],
      ["loadweir run --dry-run --json >> evidence.jsonl", "keep evidence"],
    ],
    run: async (args) => (await import("./verb_run.ts")).run(args),
  },
  {
    name: "run-tasks",
    operands: "",
    operandCount: [0, 0],
    summary: "run the hook of backend tasks when the load allows it, else exit 75",
    details:
      "Runs /etc/loadweir/hooks/tasks, which root must own, unless either load is over the TASK threshold or unknown.\n" +
      "Exit 0 done, 1 the hook failed, 75 try later. Needs root.",
    flags: [CONFIG, {
      name: "for",
      value: "TIME",
      help: "how long the hook may run (default [hooks] tasks_deadline, 1h)",
    }, PROCFS],
    examples: [["*/10 * * * * root loadweir run-tasks", "in a crontab: it runs when there is room for it"]],
    run: async (args) => await (await import("./verb_run_tasks.ts")).runTasks(args),
  },
  {
    name: "status",
    operands: "",
    operandCount: [0, 0],
    summary: "say where this host stands: the agent, what it holds and why, tier, loads, thresholds",
    details:
      "Tells what the agent wrote at its last pass, which may be that of one that has ended since. Tier, load and\n" +
      "tasks are of now: it looks at the load once and compares it with the thresholds. With --exit-code it ends with\n" +
      "0, 10, 20 or 30 for normal, spider, max or crit, and with 1 when the load is unknown.",
    flags: [
      CONFIG,
      { name: "exit-code", help: "end with 0, 10, 20 or 30 for normal, spider, max, crit (default 0)" },
      JSON_LINES,
      PROCFS,
    ],
    examples: [["loadweir status", "at a glance"], ["loadweir status --json | jq .tier", "in a script"]],
    run: async (args) => (await import("./verb_status.ts")).status(args),
  },
];

/** All verbs, in alphabetical order. */
export const VERBS: readonly Verb[] = [...LADDER_VERBS, ...PROBE_VERBS].sort((a, b) =>
  a.name < b.name ? -1 : 1
);
