/** What a row of the command line says of a verb, and the flags that many of them take. */

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

/** Which settings. */
export const CONFIG: Flag = {
  name: "config",
  value: "FILE",
  completes: "file",
  help: "configuration to use, - for standard input (default /etc/loadweir/loadweir.ini)",
};

/** Output for programs. */
export const JSON_LINES: Flag = { name: "json", help: "print JSON for programs (default text for people)" };

/** Which figures of the kernel. */
export const PROCFS: Flag = {
  name: "procfs",
  value: "DIR",
  completes: "folder",
  help: "read a folder laid out like /proc (default: look for one)",
};

/** Flags that every verb takes. */
export const COMMON_FLAGS: readonly Flag[] = [
  { name: "help", help: "explain a verb and end" },
  { name: "version", help: "print version, target and Deno version and end" },
];
