import type { Drift, DriftFigure } from "../../model/result/findings.ts";
import { countText, latencyText, shareText } from "./figures.ts";

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
    if (per_hour === null || low === null || high === null) {
      return `drift: ${NAMES[metric]} unclear, a longer run can say`;
    }
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
