import { countText, plural } from "../../lib/results/report/figures.ts";
import type { RunProgress } from "../../lib/run.ts";
import { formatDuration } from "../../lib/base/values/duration.ts";
import type { Console } from "./console.ts";

/** Shows how far a run is. */
interface ProgressView {
  readonly update: (progress: RunProgress) => void;
  /** Takes the live line away, so that the summary remains alone. */
  end(): void;
}

/**
 * On a terminal one line that is drawn anew each second; elsewhere one plain
 * line every 10 s in the first minute, then every 30 s, so that a log of an
 * eight-hour soak stays readable.
 */
export function progressView(console: Console): ProgressView {
  return console.live ? liveView(console) : sparseView(console);
}

function liveView(console: Console): ProgressView {
  let shown = false;
  return {
    update(progress) {
      console.err(`\r\x1b[2K${liveLine(progress, console.liveWidth - 1)}`);
      shown = true;
    },
    end() {
      if (shown) console.err("\r\x1b[2K");
    },
  };
}

function sparseView(console: Console): ProgressView {
  let next = 10_000;
  return {
    update(progress) {
      if (progress.elapsedMs < next) return;
      next += next < 60_000 ? 10_000 : 30_000;
      console.err(`${figures(progress).join(GAP)}\n`);
    },
    end() {},
  };
}

const GAP = "  ";
/** Columns of the bar, from the widest; without one the percentage is alone. */
const BARS = [16, 8, 0];

/** As much as fits, in whole figures: half a number is a wrong one. */
function liveLine(progress: RunProgress, columns: number): string {
  const parts = figures(progress);
  const lines = BARS.map((width) => [...bar(progress, width), ...parts]);
  const whole = lines.map((line) => line.join(GAP))
    .find((line) => line.length <= columns);
  if (whole !== undefined) return whole;
  const line: string[] = [];
  for (const part of parts) {
    if ([...line, part].join(GAP).length > columns) break;
    line.push(part);
  }
  return line.join(GAP);
}

function bar({ done: part }: RunProgress, width: number): string[] {
  if (part === undefined) return [];
  const full = Math.round(part * width);
  const drawn = `[${"=".repeat(full)}${" ".repeat(width - full)}] `;
  const percent = `${Math.floor(part * 100)}%`.padStart(4);
  return [width === 0 ? percent.trim() : drawn + percent];
}

function figures(progress: RunProgress): string[] {
  const { elapsedMs, iterations, perSecond, p95Ms, vus } = progress;
  if (elapsedMs < 0) {
    return [
      `warm-up, ${
        formatDuration(Math.ceil(-elapsedMs / 1_000) * 1_000_000)
      } left`,
      ...(perSecond === undefined
        ? []
        : [`${countText(Math.round(perSecond))} req/s`]),
      plural(vus, "VU"),
    ];
  }
  return [
    formatDuration(Math.floor(elapsedMs / 1_000) * 1_000_000 || 0),
    plural(iterations.completed, "iteration"),
    ...(perSecond === undefined
      ? []
      : [`${countText(Math.round(perSecond))} req/s`]),
    ...(p95Ms > 0 ? [`p95 ${formatDuration(p95Ms * 1_000)}`] : []),
    `${countText(iterations.failed)} failed`,
    `${countText(iterations.throttled)} throttled`,
    plural(vus, "VU"),
  ];
}
