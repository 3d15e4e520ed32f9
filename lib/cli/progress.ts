import type { RunProgress } from "../run.ts";
import { formatDuration } from "../values/duration.ts";
import type { Console } from "./console.ts";

/** Shows how far a run is. */
export interface ProgressView {
  update(progress: RunProgress): void;
  /** Takes the live line away, so that the summary stands alone. */
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
      const text = `${bar(progress)}${line(progress)}`;
      console.err(`\r\x1b[2K${text.slice(0, Math.max(20, console.width - 1))}`);
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
      console.err(`${line(progress)}\n`);
    },
    end() {},
  };
}

const WIDTH = 16;

function bar({ share }: RunProgress): string {
  if (share === undefined) return "";
  const full = Math.round(Math.min(1, share) * WIDTH);
  return `[${"=".repeat(full)}${" ".repeat(WIDTH - full)}] ${
    String(Math.floor(Math.min(1, share) * 100)).padStart(3)
  }%  `;
}

function line(progress: RunProgress): string {
  const { iterations, perSecond, p95Ms, vus } = progress;
  const parts = [
    formatDuration(Math.floor(progress.elapsedMs / 1_000) * 1_000_000 || 0),
    `${iterations.completed} iterations`,
    `${Math.round(perSecond)} req/s`,
    ...(p95Ms > 0 ? [`p95 ${formatDuration(p95Ms * 1_000)}`] : []),
    `${iterations.failed} failed`,
    `${iterations.throttled} throttled`,
    `${vus} VUs`,
  ];
  return parts.join("  ");
}
