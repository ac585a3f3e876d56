/**
 * The command line as a table: what can be typed, and what it does. Help, completions, suggestions and the parser all take
 * it from here. A new verb is one entry in alphabetical order and one file `verb_<name>.ts`.
 */

import type { Arguments } from "./arguments.ts";

/** A flag of a verb. */
export interface Flag {
  /** Name without dashes. */
  readonly name: string;
  /** What its value stands for, as `DIR`; a flag without it takes no value. */
  readonly value?: string;
  /** What the value completes to. */
  readonly completes?: "file" | "folder";
  /** Given more than once, each counts. */
  readonly repeats?: boolean;
  /** Lower case, with unit and default. */
  readonly help: string;
}

/** A verb. */
export interface Verb {
  readonly name: string;
  /** Arguments after the verb, as `NAME`; in brackets where they may be left out. */
  readonly operands: string;
  /** How many arguments it takes, least and most. */
  readonly operandCount: readonly [least: number, most: number];
  /** What the arguments complete to: these words, or a file. */
  readonly completes?: readonly string[] | "file";
  /** Lower case, one line. */
  readonly summary: string;
  /** More for its own help, in full sentences. */
  readonly details: string;
  readonly flags: readonly Flag[];
  /** Command lines with what they are for. */
  readonly examples: readonly (readonly [command: string, purpose: string])[];
  /** Loads and runs it; the module of a verb is loaded only when it is asked for. */
  readonly run: (args: Arguments) => Promise<number>;
}

const CONFIG: Flag = {
  name: "config",
  value: "FILE",
  completes: "file",
  help: "configuration to use, - for standard input (default /etc/loadweir/loadweir.ini)",
};

const JSON_LINES: Flag = { name: "json", help: "print JSON for programs (default text for people)" };

const PROCFS: Flag = {
  name: "procfs",
  value: "DIR",
  completes: "folder",
  help: "read a folder laid out like /proc (default: look for one)",
};

const PING_MODE: Flag = {
  name: "mode",
  value: "auto|nft|sysctl|ufw",
  help: "how it is done (default auto: nft where it works, else sysctl)",
};

/** Flags that every verb takes. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: "help", help: "explain a verb and end" },
  { name: "version", help: "print version, target and Deno version and end" },
];

/** All verbs, in alphabetical order. */
export const VERBS: readonly Verb[] = [
  {
    name: "allow-pings",
    operands: "",
    operandCount: [0, 0],
    summary: "answer pings again, if block-pings has stopped that",
    details:
      "Ends what block-pings did, however it did it, and says nothing when there is nothing to end. What the running agent\n" +
      "or somebody else has silenced stays silent: standard error tells where it can be seen. Exit 0 unless it fails.\n" +
      "Needs root.",
    flags: [PING_MODE],
    examples: [["loadweir allow-pings", "the load balancer sends requests again"]],
    run: async (args) => await (await import("./verb_pings.ts")).allowPings(args),
  },
  {
    name: "block-pings",
    operands: "",
    operandCount: [0, 0],
    summary: "stop answering pings, IPv4 and IPv6, so that a load balancer goes elsewhere",
    details:
      "Lasts until allow-pings, or a reboot; with ufw a reboot does not end it. Nobody renews it: what flushes the rules or\n" +
      "sets the switch back, as ufw reload does, ends it too. Says nothing when it is so already. The agent neither renews\n" +
      "nor ends it. With ufw a pinger that goes on with the id it had is still answered. Needs root.",
    flags: [
      { name: "for", value: "TIME", help: "how long, with --mode nft (default without end)" },
      PING_MODE,
    ],
    examples: [
      ["loadweir block-pings", "before work on this host"],
      ["loadweir block-pings --mode nft --for 20m", "and pings are answered again by themselves"],
    ],
    run: async (args) => await (await import("./verb_pings.ts")).blockPings(args),
  },
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
    name: "drain",
    operands: "[REASON]",
    operandCount: [0, 1],
    summary: "take this host out of the balancer by hand, for a time",
    details:
      "Asks the running agent, which publishes it wherever it is configured to and puts the host back when the time is\n" +
      "over. Needs root.",
    flags: [CONFIG, { name: "for", value: "TIME", help: "how long (default 30m)" }, PROCFS],
    examples: [['loadweir drain --for 1h "new disk"', "before maintenance"]],
    run: async (args) => await (await import("./verb_by_hand.ts")).drain(args),
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
    name: "probe",
    operands: "URL TEXT [ping|yell|exit]",
    // The verb counts for itself: its exit codes are those of the script that it takes over from.
    operandCount: [0, 9],
    summary: "tell whether a site of this host answers with a text: exit 0 yes, 1 no",
    details:
      "Asks once, over a new connection to this host, with the name in the URL as Host and SNI; redirects are not\n" +
      "followed, and the text is looked for as it is, in the first 256 KiB. Says what it saw; with yell only that the\n" +
      "URL is UP or DOWN, with exit nothing, and with ping it lets the host answer pings or silences it.\n" +
      "Exit 0 up, 1 down or too few or too many arguments, as www-check had it; 75 when nothing could be said, which\n" +
      "never silences; 2 for a URL, a flag or an address that cannot be used. Only 127.0.0.1 and ::1 may be asked.",
    flags: [
      {
        name: "address",
        value: "IP",
        help: "address to ask, 127.0.0.1 or ::1 (default: the URL's, or 127.0.0.1)",
      },
      { name: "every", value: "TIME", help: "with --watch, time from one look to the next (default 5s)" },
      JSON_LINES,
      { name: "timeout", value: "TIME", help: "time for all of a look, connecting too (default 4s)" },
      { name: "watch", help: "look again and again, a line each, until Ctrl-C" },
    ],
    examples: [
      ['loadweir probe http://www.example.org "Welcome"', "what would visitors see?"],
      ['loadweir probe https://www.example.org "Welcome" exit || mail-someone', "in a script"],
      ['loadweir probe --watch --every 1s http://www.example.org "Welcome"', "during a change"],
    ],
    run: async (args) => await (await import("./verb_probe.ts")).probe(args),
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
    flags: [CONFIG, PROCFS],
    examples: [["loadweir release", "after the agent was removed, or when in doubt"]],
    run: async (args) => await (await import("./verb_by_hand.ts")).release(args),
  },
  {
    name: "replay",
    operands: "TRACE|-",
    operandCount: [1, 1],
    completes: "file",
    summary: "run the ladder over a recorded trace",
    details:
      "Prints what would have been done and why, and what it would have cost. With - the trace comes from standard\n" +
      "input. The rules are those of the live agent: there is no second implementation. The journal that an agent\n" +
      "keeps in /var/log/loadweir brings its own settings, and is held against what was decided then: exit 1 when\n" +
      "it comes out otherwise.",
    flags: [
      CONFIG,
      { name: "json", help: "print one decision a line as JSON, and nothing else (default text for people)" },
      {
        name: "set",
        value: "SECTION.KEY=VALUE",
        repeats: true,
        help: "replay with another setting, such as ladder.max=5; may be repeated",
      },
    ],
    examples: [
      ["loadweir replay /var/log/loadweir/journal.jsonl", "what the agent saw and did, once more"],
      ["loadweir replay night.jsonl", "read what would have happened"],
      ["loadweir replay night.jsonl --set ladder.max=5 --json | jq .actions", "with another threshold"],
      ["zcat week.jsonl.gz | loadweir replay -", "from a pipe"],
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
      "evidence a pass. The other flags are for --dry-run.",
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
    summary: "say where this host stands: tier, loads, thresholds",
    details:
      "Looks at the load once and compares it with the thresholds. With --exit-code it ends with 0, 10, 20 or 30 for\n" +
      "normal, spider, max or crit, and with 1 when the load is unknown.",
    flags: [
      CONFIG,
      { name: "exit-code", help: "end with 0, 10, 20 or 30 for normal, spider, max, crit (default 0)" },
      JSON_LINES,
      PROCFS,
    ],
    examples: [["loadweir status", "at a glance"], ["loadweir status --json | jq .tier", "in a script"]],
    run: async (args) => (await import("./verb_status.ts")).status(args),
  },
  {
    name: "undrain",
    operands: "[REASON]",
    operandCount: [0, 1],
    summary: "put this host back, and keep it in whatever the checks say",
    details:
      "Asks the running agent. A pause of the web does not take the host out either meanwhile. Needs root.",
    flags: [CONFIG, { name: "for", value: "TIME", help: "how long it is kept in (default 30m)" }, PROCFS],
    examples: [['loadweir undrain "checked by hand"', "after maintenance, or when the checks are wrong"]],
    run: async (args) => await (await import("./verb_by_hand.ts")).undrain(args),
  },
];
