/**
 * What lines of a page of metrics look like. All patterns are sticky: they are tried where their `lastIndex` is. They take
 * time in proportion to the line, whatever it holds.
 */

import type { ExpositionFormat } from "./format.ts";
import { LABEL_PATTERN } from "./labels.ts";

const NAME_PATTERN = "[a-zA-Z_:][a-zA-Z0-9_:]*";
/** Each digit can be matched in one way only: a number of a million digits is refused as soon as one of ten. */
const NUMBER_PATTERN = String
  .raw`(?:[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[iI][nN][fF](?:[iI][nN][iI][tT][yY])?)|[nN][aA][nN])`;
const LABELS_PATTERN = String.raw`[ \t]*(?:${LABEL_PATTERN}(?:,[ \t]*${LABEL_PATTERN})*(?:,[ \t]*)?)?`;
/** Up to the value: name, what is between the braces, value. */
const HEAD_PATTERN =
  `(${NAME_PATTERN})(?:[ \\t]*\\{(${LABELS_PATTERN})\\}[ \\t]*|[ \\t]+)(${NUMBER_PATTERN})`;

/** The name of a series or of a family. */
export const NAME: RegExp = new RegExp(NAME_PATTERN, "y");

/**
 * A line with a figure, its end included: name, what is between the braces, value. In the older format a time in whole
 * milliseconds may follow; in OpenMetrics one in seconds, and an exemplar. Neither is of use here.
 */
export const SERIES: Readonly<Record<ExpositionFormat, RegExp>> = {
  text: new RegExp(`${HEAD_PATTERN}(?:[ \\t]+-?\\d+)?[ \\t]*\\r?(?:\\n|$)`, "y"),
  openmetrics: new RegExp(
    `${HEAD_PATTERN}(?: ${NUMBER_PATTERN})?(?: # \\{${LABELS_PATTERN}\\} ${NUMBER_PATTERN}(?: ${NUMBER_PATTERN})?)?\\n`,
    "y",
  ),
};

/** A line with the kind of a family: name, kind. */
export const TYPE: RegExp = new RegExp(
  `#[ \\t]*TYPE[ \\t]+(${NAME_PATTERN})[ \\t]+(\\w+)[ \\t]*\\r?(?:\\n|$)`,
  "y",
);

/** How such a line begins, also a broken one. */
export const TYPE_START = /#[ \t]*TYPE(?=[ \t\r\n]|$)/y;

/** Other comments that OpenMetrics knows, but for its end. */
export const OPENMETRICS_COMMENT: RegExp = new RegExp(`# (?:HELP|UNIT) ${NAME_PATTERN}[^\\n]*\\n`, "y");

export const BLANK = /[ \t]+/y;

/** The kinds of families, each with what the names of its series end with. */
export const KINDS: Readonly<Record<ExpositionFormat, ReadonlyMap<string, readonly string[]>>> = {
  text: new Map([
    ["counter", [""]],
    ["gauge", [""]],
    ["histogram", ["", "_bucket", "_count", "_sum"]],
    ["summary", ["", "_count", "_sum"]],
    ["untyped", [""]],
  ]),
  openmetrics: new Map([
    ["counter", ["", "_total", "_created"]],
    ["gauge", [""]],
    ["histogram", ["", "_bucket", "_count", "_sum", "_created"]],
    ["summary", ["", "_count", "_sum", "_created"]],
    ["unknown", [""]],
    ["info", ["", "_info"]],
    ["stateset", [""]],
    ["gaugehistogram", ["", "_bucket", "_gcount", "_gsum"]],
  ]),
};
