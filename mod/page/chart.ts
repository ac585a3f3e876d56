/**
 * The load of the last hour against the thresholds, as SVG.
 *
 * Heights are pixels, so that texts stand still; widths are shares of whatever the page has, so that a phone gets the same
 * chart and texts stay readable. What tells the lines apart is not colour alone: dashes, and words beside them.
 *
 * @see https://www.w3.org/TR/SVG2/coords.html#ComputingAViewportsTransform
 */

import { type Markup, markup, own } from "./markup.ts";
import type { PageLoad, PageModel, PageThreshold } from "./page_model.ts";

/** From the top of the chart to the highest value, and the height of the plot below it, in pixels. */
const TOP_PX = 14;
const PLOT_PX = 210;
const HEIGHT_PX = TOP_PX + PLOT_PX + 22;

/** Height that one line of text takes. */
const TEXT_PX = 13;

/** A pause shorter than this share of the width has no room for a word. */
const WORD_PERCENT = 9;

/** Marks of the time axis. */
const TIME_STEP_MS = 600_000;

/** The height of a percentage, in pixels from the top. */
type Height = (percent: number) => number;

/** Renders the chart. Never throws. */
export function renderChart(
  { history, thresholds, now }: Pick<PageModel, "history" | "thresholds" | "now">,
): Markup {
  const { loads, lengthMs } = history;
  const peak = peakOf(loads);
  const topPercent = topOf(peak?.percent ?? 0, thresholds);
  const shown = thresholds.filter(({ percent }) => percent <= topPercent);
  const y: Height = (percent) => tenth(TOP_PX + PLOT_PX * (1 - Math.min(percent, topPercent) / topPercent));
  return markup`
    <svg class="chart" width="100%" height="${HEIGHT_PX}" role="img" aria-labelledby="chart-title chart-text">
      <title id="chart-title">Load of the last hour, in percent of the CPUs</title>
      <desc id="chart-text">${chartText({ history, thresholds, now })}</desc>
      <defs>
        <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch" width="2.5" height="8" />
        </pattern>
      </defs>
      ${percentLines(topPercent, shown, y)}
      ${timeMarks(Date.parse(now), lengthMs).map(timeLine)}
      ${heldShares(history).map(heldArea)}
      ${thresholdLines(shown, y)}
      <svg
        y="0" width="100%" height="${HEIGHT_PX}"
        viewBox="0 0 ${lengthMs / 1_000} ${HEIGHT_PX}" preserveAspectRatio="none"
      >
        <path class="load5" d="${own(courseOf(history, "load5Percent", y))}" />
        <path class="load1" d="${own(courseOf(history, "load1Percent", y))}" />
      </svg>
    </svg>
  `;
}

/** The course in words: what there is to see for who does not see it. Never throws. */
export function chartText(
  { history, thresholds, now }: Pick<PageModel, "history" | "thresholds" | "now">,
): string {
  const { loads, lengthMs } = history;
  const nowMs = Date.parse(now);
  const peak = peakOf(loads);
  if (peak === undefined) return "No load has been read yet.";
  const oldest = loads[0]?.agoMs ?? 0;
  const since = oldest < lengthMs - 60_000
    ? `Since ${clockText(nowMs - oldest)} UTC, when this agent began to look: `
    : "";
  const held = heldShares(history).length;
  const over = thresholds.filter(({ name, percent }) => name !== "resume" && peak.percent > percent).at(-1);
  return [
    `${since}${since === "" ? "P" : "p"}eak ${peak.percent.toFixed(1)} % (${peak.name}) at ${
      clockText(nowMs - peak.agoMs)
    } UTC`,
    over === undefined ? "never over a threshold" : `over ${over.name} ${over.percent} %`,
    held === 0 ? "web never held" : `web held ${held === 1 ? "once" : `${held} times`}`,
  ].join(", ") + ".";
}

interface Peak {
  readonly percent: number;
  readonly name: "1m" | "5m";
  readonly agoMs: number;
}

function peakOf(loads: readonly PageLoad[]): Peak | undefined {
  let peak: Peak | undefined;
  for (const { agoMs, load1Percent, load5Percent } of loads) {
    for (const [name, percent] of [["1m", load1Percent], ["5m", load5Percent]] as const) {
      if (percent !== null && percent > (peak?.percent ?? -1)) peak = { percent, name, agoMs };
    }
  }
  return peak;
}

/** High enough for the peak and the next threshold above it: on a calm host CRIT would press the course flat. */
function topOf(peakPercent: number, thresholds: readonly PageThreshold[]): number {
  const above = thresholds.map(({ percent }) => percent).filter((percent) => percent > peakPercent);
  return Math.max(
    peakPercent * 1.08,
    Math.min(...above, Infinity) === Infinity ? 0 : Math.min(...above) * 1.1,
    1,
  );
}

/** At most five marks, at round figures, none at the top where there is no room for its text. */
function percentMarks(topPercent: number): readonly number[] {
  const rough = topPercent / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * unit >= rough) ?? 10) * unit;
  const marks: number[] = [];
  for (let percent = 0; percent <= topPercent * 0.97; percent += step) marks.push(tenth(percent));
  return marks;
}

/** A line for each mark, with its figure where no threshold goes through it. */
function percentLines(topPercent: number, shown: readonly PageThreshold[], y: Height): readonly Markup[] {
  return percentMarks(topPercent).map((percent) => {
    const textPx = y(percent) - 4;
    const hasRoom = !shown.some((threshold) => isThrough(y(threshold.percent), textPx));
    return markup`
      <line class="grid" x1="0" x2="100%" y1="${y(percent)}" y2="${y(percent)}" />
      ${
      hasRoom
        ? markup`<text class="mark" x="100%" y="${textPx}" text-anchor="end">${percent} %</text>`
        : undefined
    }
    `;
  });
}

/** Whether a line goes through the text that stands at a height. */
function isThrough(linePx: number, textPx: number): boolean {
  return linePx > textPx - TEXT_PX && linePx < textPx + 3;
}

/** A time of day, and where it is as a share of the width. */
interface TimeMark {
  readonly text: string;
  readonly percent: number;
}

function timeMarks(nowMs: number, lengthMs: number): readonly TimeMark[] {
  const marks: TimeMark[] = [];
  for (
    let atMs = Math.floor(nowMs / TIME_STEP_MS) * TIME_STEP_MS;
    atMs > nowMs - lengthMs;
    atMs -= TIME_STEP_MS
  ) {
    const percent = tenth(100 * (1 - (nowMs - atMs) / lengthMs));
    // A text at an edge would be cut.
    if (percent > 6 && percent < 94) marks.push({ text: clockText(atMs), percent });
  }
  return marks;
}

function timeLine({ text, percent }: TimeMark): Markup {
  return markup`
    <line class="grid" x1="${percent}%" x2="${percent}%" y1="${TOP_PX}" y2="${TOP_PX + PLOT_PX}" />
    <text class="mark" x="${percent}%" y="${HEIGHT_PX - 6}" text-anchor="middle">${text}</text>
  `;
}

/** Lines with a word each, which moves up where the one below is too near. */
function thresholdLines(shown: readonly PageThreshold[], y: Height): readonly Markup[] {
  let lowestPx = Infinity;
  return shown.toSorted((a, b) => a.percent - b.percent).map(({ name, percent }) => {
    const textPx = Math.min(y(percent) - 4, lowestPx - TEXT_PX);
    lowestPx = textPx;
    const tier = name.toLowerCase();
    return markup`
      <line class="threshold ${tier}" x1="0" x2="100%" y1="${y(percent)}" y2="${y(percent)}" />
      <text class="threshold-name ${tier}" x="2" y="${tenth(textPx)}">${name} ${percent} %</text>
    `;
  });
}

/** A stretch in which the web was held: where it begins and how long it is, as shares of the width. */
interface HeldShare {
  readonly fromPercent: number;
  readonly percent: number;
}

function heldShares({ loads, lengthMs, gapMs }: PageModel["history"]): readonly HeldShare[] {
  const stretches: { fromMs: number; toMs: number }[] = [];
  loads.forEach(({ agoMs, isHeld }, at) => {
    if (!isHeld) return;
    const next = loads[at + 1]?.agoMs ?? 0;
    const toMs = agoMs - next > gapMs ? agoMs : next;
    const last = stretches.at(-1);
    if (last !== undefined && last.toMs === agoMs) last.toMs = toMs;
    else stretches.push({ fromMs: agoMs, toMs });
  });
  return stretches.map(({ fromMs, toMs }) => {
    const from = Math.min(fromMs, lengthMs);
    return {
      fromPercent: tenth(100 * (1 - from / lengthMs)),
      percent: Math.max(0.2, tenth(100 * (from - toMs) / lengthMs)),
    };
  });
}

function heldArea({ fromPercent, percent }: HeldShare): Markup {
  const place = markup`x="${fromPercent}%" width="${percent}%" y="${TOP_PX}" height="${PLOT_PX}"`;
  const middle = tenth(fromPercent + percent / 2);
  const wordPx = TOP_PX + PLOT_PX - 8;
  const word =
    markup`<text class="held-word" x="${middle}%" y="${wordPx}" text-anchor="middle">web held</text>`;
  return markup`
    <rect class="held" ${place} />
    <rect fill="url(#hatch)" ${place} />
    ${percent < WORD_PERCENT ? undefined : word}
  `;
}

/** A course as a path, broken where nothing is known; a single value is a dot. */
function courseOf(
  { loads, lengthMs, gapMs }: PageModel["history"],
  field: "load1Percent" | "load5Percent",
  y: Height,
): string {
  let path = "";
  let before: number | undefined;
  for (const load of loads) {
    const percent = load[field];
    if (percent === null) {
      before = undefined;
      continue;
    }
    const x = tenth((lengthMs - Math.min(load.agoMs, lengthMs)) / 1_000);
    const isBegin = before === undefined || before - load.agoMs > gapMs;
    path += isBegin ? `M${x} ${y(percent)}h.01` : `L${x} ${y(percent)}`;
    before = load.agoMs;
  }
  return path;
}

function clockText(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(11, 16);
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
