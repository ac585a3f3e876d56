/** The types of value that only pressure has: parts, CPUs, units, files of a pid, names of figures. */

import type { MetricsPreset, QueueSource } from "./pressure_config.ts";
import { choiceType, decimalType, maybeAbsolutePath, renderText, type ValueType } from "./values.ts";

/** A part of a whole, its end included. */
export const PART: ValueType<number> = decimalType(
  "part",
  "a number above 0 and up to 1 such as 0.9",
  (value) => value > 0 && value <= 1,
);

/** What one part must be ahead of another. */
export const MARGIN: ValueType<number> = decimalType(
  "margin",
  "a number from 0 to below 1 such as 0.1",
  (value) => value < 1,
);

/** More CPUs than any host has. */
const CPU_LIMIT = 4_096;

/** CPUs, as 1.5. */
export const CPUS: ValueType<number> = decimalType(
  "CPUs",
  `a number above 0 and up to ${CPU_LIMIT} such as 1.5`,
  (value) => value > 0 && value <= CPU_LIMIT,
);

/** CPUs, as 1.5; 0 leaves it to the program. */
export const CPUS_OR_AUTO: ValueType<number> = decimalType(
  "CPUs",
  `a number from 0 to ${CPU_LIMIT} such as 1.5`,
  (value) => value <= CPU_LIMIT,
);

/** How the figures of a page are called. */
export const METRICS_PRESET: ValueType<MetricsPreset> = choiceType([
  "auto",
  "prom-client",
  "nginx",
  "haproxy",
  "php-fpm",
  "generic",
]);

/** Longest name of a unit (UNIT_NAME_MAX of systemd). */
const UNIT_LIMIT = 255;

/** A service unit by its whole name; no first character that systemctl would take for an option. */
const UNIT = /^[\w:.\\][\w:.\\-]*(?:@[\w:.\\@-]+)?\.service$/;

/** A template of service units. */
const TEMPLATE = /^[\w:.\\][\w:.\\-]*@\.service$/;

/** A service unit, or empty for none. */
export const MAYBE_UNIT: ValueType<string> = wordType(
  "unit",
  "a service unit such as nginx.service or web@1.service, or nothing",
  (text) => UNIT.test(text) && text.length <= UNIT_LIMIT,
);

/** A template of service units, or empty for none. */
export const MAYBE_TEMPLATE: ValueType<string> = wordType(
  "template unit",
  "a template of service units such as web@.service, or nothing",
  (text) => TEMPLATE.test(text) && text.length <= UNIT_LIMIT,
);

/** A file of a pid, or empty for none. Elsewhere such files are not kept. */
export const MAYBE_PID_FILE: ValueType<string> = wordType(
  "pid file",
  "a file below /run such as /run/web.pid, or nothing",
  (text) => text.startsWith("/run/") && text.endsWith(".pid") && maybeAbsolutePath(text) === text,
);

/** Longest name of a figure that is taken. */
const METRIC_NAME_LIMIT = 200;

/**
 * The name of a figure, or empty for none.
 *
 * @see https://prometheus.io/docs/concepts/data_model/#metric-names-and-labels
 */
export const MAYBE_METRIC_NAME: ValueType<string> = wordType(
  "metric name",
  "a name of a Prometheus metric such as nodejs_eventloop_lag_p99_seconds, without labels, or nothing",
  (text) => /^[A-Za-z_:][\w:]*$/.test(text) && text.length <= METRIC_NAME_LIMIT,
);

/** Longest argument that is looked for. */
const ARGUMENT_LIMIT = 1_000;

/** An argument of a command line, or empty for any. */
export const MAYBE_ARGUMENT: ValueType<string> = {
  name: "argument",
  expected: `one argument of at most ${ARGUMENT_LIMIT} characters, without both " and ', or nothing`,
  maybeRead: (text) => {
    const isOne = text.length <= ARGUMENT_LIMIT && !/\p{Cc}|\ufffd/u.test(text) &&
      !(text.includes('"') && text.includes("'"));
    return isOne ? { value: text } : undefined;
  },
  render: renderText,
};

const QUEUE_WORDS: ValueType<QueueSource["kind"]> = choiceType(["none", "php-fpm", "instances"]);

/** Where it shows that requests wait. */
export const QUEUE_SOURCE: ValueType<QueueSource> = {
  name: QUEUE_WORDS.name,
  expected: QUEUE_WORDS.expected,
  maybeRead: (text) => {
    const kind = QUEUE_WORDS.maybeRead(text)?.value;
    return kind === undefined ? undefined : { value: { kind } };
  },
  render: ({ kind }) => kind,
};

/** A text that says itself, or empty for none. */
function wordType(name: string, expected: string, accepts: (text: string) => boolean): ValueType<string> {
  return {
    name,
    expected,
    maybeRead: (text) => text === "" || accepts(text) ? { value: text } : undefined,
    render: (text) => text,
  };
}
