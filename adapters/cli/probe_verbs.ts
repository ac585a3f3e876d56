/** The verbs of the probe, a part of the table of all. */

import { CONFIG, type Flag, JSON_LINES, PROCFS, type Verb } from "./verb.ts";

const PING_MODE: Flag = {
  name: "mode",
  value: "auto|nft|sysctl|ufw",
  help: "how it is done (default auto: nft where it works, else sysctl)",
};

/** In alphabetical order. */
export const PROBE_VERBS: readonly Verb[] = [
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
