import type {
  Capacity,
  Drift,
  DriftFigure,
} from "../../model/result/findings.ts";
import { countText, latencyText, plural, shareText } from "./figures.ts";
import type { RunMeta, ShardSummary } from "../../model/result/run.ts";

type Bounds = Pick<Capacity, "unit" | "lower" | "upper" | "least">;

/** `holds at 96 requests a second, and breaks at 100, expected at least 200`. */
export function capacitySentence(bounds: Bounds): string {
  const { least } = bounds;
  const expected = least === undefined
    ? ""
    : isShort(bounds)
    ? `, expected at least ${least}`
    : ` (expected at least ${least})`;
  return `${boundsText(bounds)}${expected}`;
}

/** No level held, or none as high as expected. */
export function isShort(
  { lower, least = 0 }: Pick<Capacity, "lower" | "least">,
): boolean {
  return lower === null || lower < least;
}

function boundsText({ unit, lower, upper }: Bounds): string {
  const name = unit === "vus" ? "VUs" : "requests a second";
  if (lower === null) {
    return upper === null
      ? "no level was measured"
      : `does not hold at any level: it breaks at ${upper} ${name}`;
  }
  return upper === null
    ? `holds at ${lower} ${name}, and it may hold at more`
    : `holds at ${lower} ${name}, and breaks at ${upper}`;
}

const NAMES: Readonly<Record<DriftFigure["metric"], string>> = {
  p95: "p95",
  error_rate: "error_rate",
  target_memory: "memory of the target",
  target_cpu: "CPU use of the target",
  target_open_files: "open files of the target",
};

/** `p95 grew 4.1ms an hour (3.2ms to 5ms)`, a sentence a figure. */
export function driftSentences({ windows, figures }: Drift): string[] {
  if (windows === 0) {
    return ["drift: too short to say, a soak run needs 30s and 12 windows"];
  }
  return figures.map((figure) => {
    const { metric, verdict, per_hour, low, high } = figure;
    const text = (value: number) => amount(figure, value);
    if (verdict === "steady") {
      return `drift: ${NAMES[metric]} steady (${text(low)} to ${
        text(high)
      } an hour)`;
    }
    const [least, most] = [low, high].map(Math.abs).sort((a, b) => a - b);
    return `drift: ${NAMES[metric]} ${verdict} ${
      text(Math.abs(per_hour))
    } an hour (${text(least!)} to ${text(most!)})`;
  });
}

function amount({ unit }: DriftFigure, value: number): string {
  const sign = value < 0 ? "-" : "";
  const size = Math.abs(value);
  switch (unit) {
    case "ms":
      return `${sign}${latencyText(Number(size.toPrecision(2)))}`;
    case "share":
      return `${sign}${shareText(size)}`;
    case "bytes":
      return `${sign}${Number((size / 1_048_576).toPrecision(2))} MiB`;
    case "count":
      return `${sign}${countText(Math.round(size))}`;
  }
}

/** Findings without which a reader takes the figures for something else. */
export function findingsOfFigures({ findings = [] }: RunMeta): string[] {
  return findings.filter(({ name }) =>
    name === "target_cpu" || name === "connections" || name === "drift"
  ).map(({ seen }) => seen);
}

/** Of how many shards a run is, and which were lost. */
export function shardsSentence(shards: readonly ShardSummary[]): string {
  const lost = shards.flatMap(({ shard, lost_at_ms }) =>
    lost_at_ms === null
      ? []
      : [`shard ${shard} was lost after ${latencyText(lost_at_ms)}`]
  );
  return [`Run by ${plural(shards.length, "shard")}`, ...lost].join("; ") +
    ".";
}
