import { latencyText } from "../../lib/results/report/figures.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import { coordinate } from "../chart/scale.ts";
import type { Markup } from "../markup/markup.ts";
import { stepClass } from "../model/steps.ts";
import type { WaterfallRow } from "../model/waterfall.ts";
import { PHASE_FILLS, phaseLegend } from "./phase_legend.tsx";
import { OutcomeSign } from "./signs.tsx";

const WIDTH = 1000;
/** Longer waterfalls leave out phases and checks, then all but the steps. */
const MOST = 500;

/**
 * The waterfall as a table: name, time in figures, and a bar. Phases have
 * colours of their own; every bar's row says in words what it is.
 *
 * @param address of the page with the spans' details; undefined for no links
 */
export function waterfallView(
  trace: Trace,
  rows: readonly WaterfallRow[],
  ids: readonly string[],
  address: string | undefined = "",
): Markup {
  const { shown, left } = fitting(rows);
  const start = rows.reduce(
    (low, { span }) => Math.min(low, span.start_us),
    trace.start_us,
  );
  const end = rows.reduce(
    (high, { span }) => Math.max(high, span.start_us + span.duration_us),
    trace.start_us + trace.duration_us,
  );
  const total = Math.max(1, end - start);
  const x = (us: number) => (us - start) / total * WIDTH;
  return (
    <>
      {phaseLegend()}
      <div class="scroll" tabindex="0" role="region" aria-label="Waterfall">
        <table class="waterfall">
          <thead>
            <tr>
              <th scope="col">span</th>
              <th scope="col" class="n start">start</th>
              <th scope="col" class="n">took</th>
              <th scope="col" class="bar">
                <span class="axis" aria-hidden="true">
                  {[0, 0.25, 0.5, 0.75, 1].map((part) => (
                    <span>
                      {part === 0 ? "0" : latencyText(part * total / 1_000)}
                    </span>
                  ))}
                </span>
                <span class="hidden">bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => {
              const { span, depth, kind } = row;
              const from = x(span.start_us);
              const width = Math.max(
                2,
                x(span.start_us + span.duration_us) - from,
              );
              const bad = span.outcome !== undefined &&
                span.outcome !== "passed";
              return (
                <tr
                  class={[
                    kind,
                    bad && (span.outcome === "failed" ? "bad" : "warn"),
                  ]}
                >
                  <th scope="row" class={`d${Math.min(8, depth)}`}>
                    {address !== undefined
                      ? (
                        <a class="row" href={`${address}#span-${row.number}`}>
                          {span.name}
                        </a>
                      )
                      : span.name}{" "}
                    {bad && <OutcomeSign outcome={span.outcome!} />}
                  </th>
                  <td class="n start">
                    {latencyText((span.start_us - start) / 1_000)}
                  </td>
                  <td class="n">{latencyText(span.duration_us / 1_000)}</td>
                  <td class="bar">
                    <svg
                      viewBox={`0 0 ${WIDTH} 12`}
                      preserveAspectRatio="none"
                      aria-hidden="true"
                    >
                      <path
                        class={classOf(row, ids)}
                        fill={PHASE_FILLS[span.name] ?? "#777"}
                        d={`M${coordinate(from)} ${depth === 0 ? 1 : 3}h${
                          coordinate(width)
                        }v${depth === 0 ? 10 : 6}h-${coordinate(width)}z`}
                      />
                    </svg>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {left > 0 &&
        (
          <p class="note">
            {left} spans are left out: the longer ones above stand for them.
          </p>
        )}
    </>
  );
}

function classOf(
  { span, kind, step }: WaterfallRow,
  ids: readonly string[],
): string {
  if (kind === "phase" || kind === "backoff") return `p-${span.name}`;
  if (span.outcome !== undefined && span.outcome !== "passed") {
    return span.outcome;
  }
  return `fill-${stepClass(ids, step)}`;
}

function fitting(
  rows: readonly WaterfallRow[],
): { shown: readonly WaterfallRow[]; left: number } {
  const bad = ({ span }: WaterfallRow) =>
    span.outcome !== undefined && span.outcome !== "passed";
  let shown = rows;
  for (const depth of [2, 1, 0]) {
    if (shown.length <= MOST) break;
    shown = rows.filter((row) => row.depth <= depth || bad(row));
  }
  shown = shown.slice(0, MOST);
  return { shown, left: rows.length - shown.length };
}
