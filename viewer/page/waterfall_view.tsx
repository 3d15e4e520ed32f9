import { OUTCOMES } from "../../lib/model/outcome.ts";
import { countText, latencyText } from "../../lib/results/report/figures.ts";
import { isCheck, type Trace } from "../../lib/model/result/trace.ts";
import { coordinate, PHASE_FILLS, phaseLegend } from "../chart/frame.tsx";
import type { Markup } from "../markup/jsx_runtime.ts";
import { gistOf } from "../model/exchange.ts";
import {
  isBad,
  isNotYet,
  partOf,
  type WaterfallPart,
  type WaterfallRow,
} from "../model/waterfall.ts";
import { OutcomeSign } from "./parts.tsx";
import { spanDetails } from "./exchange_view.tsx";
import { stepClass } from "../model/words.ts";
import { chunks } from "../model/timeline.ts";

const WIDTH = 1000;
/** Lines that fit on a screen; more have an overview. */
const SCREEN = 40;

/** Options of a waterfall. */
interface WaterfallOptions {
  /** Steps of the flow, whose positions give their colours. */
  readonly ids: readonly string[];
  /** Numbers of the spans whose details are open from the start. */
  readonly open?: ReadonlySet<number>;
  /** Off where several traces are on one page: their ids would clash. */
  readonly named?: boolean;
  /** The lines of a long waterfall that are shown. */
  readonly part?: WaterfallPart;
  /** Of the page that shows the part with a span; without it the other parts cannot be seen. */
  readonly address?: (span: number) => string;
}

/**
 * The waterfall, a line a span: what it is and what happened, its times, and a
 * bar. Its details unfold below it. Phases have colours of their own; every
 * line says in words what its bar shows.
 */
export function waterfallView(
  trace: Trace,
  rows: readonly WaterfallRow[],
  { ids, open = new Set(), named = true, address, part = partOf(rows) }:
    WaterfallOptions,
): Markup {
  const shown = part.rows;
  const there = new Set(shown.map(({ number }) => number));
  const href = (number: number) =>
    there.has(number) ? `#span-${number}` : address?.(number);
  const scale = scaleOf(trace, rows);
  const details = spanDetails(rows);
  return (
    <>
      {phaseLegend()}
      <div class="waterfall">
        {headLine(scale)}
        {named && rows.length > SCREEN && minimap(rows, ids, scale, href)}
        {shown.map((row) => {
          const { number, kind, span } = row;
          const id = named ? `span-${number}` : undefined;
          const classes = [kind, isBad(row) && OUTCOMES[span.outcome!].tone];
          const detail = details(row);
          if (!detail) {
            return (
              <div class={["line", ...classes]} id={id}>
                {spanLine(row, ids, scale)}
              </div>
            );
          }
          return (
            <details class={classes} id={id} open={open.has(number)}>
              <summary class="line row">{spanLine(row, ids, scale)}</summary>
              <div class="span">{detail}</div>
            </details>
          );
        })}
      </div>
      {shown.length < rows.length && otherParts(part, rows.length, address)}
    </>
  );
}

function otherParts(
  { rows, before, previous, next }: WaterfallPart,
  all: number,
  address: WaterfallOptions["address"],
): Markup {
  const to = (span: number | undefined, title: string) =>
    span === undefined || !address
      ? undefined
      : <a href={address(span)}>{title}</a>;
  return (
    <nav class="pager" aria-label="Parts of the waterfall">
      {to(previous, "earlier spans")}
      <span>
        spans {countText(before + 1)} to {countText(before + rows.length)} of
        {" "}
        {countText(all)}
      </span>
      {to(next, "later spans")}
    </nav>
  );
}

function scaleOf(trace: Trace, rows: readonly WaterfallRow[]): WaterfallScale {
  const start = rows.reduce(
    (low, { span }) => Math.min(low, span.start_us),
    trace.start_us,
  );
  const end = rows.reduce(
    (high, { span }) => Math.max(high, span.start_us + span.duration_us),
    trace.start_us + trace.duration_us,
  );
  const total = Math.max(1, end - start);
  return { start, total, x: (us) => (us - start) / total * WIDTH };
}

function headLine({ total }: WaterfallScale): Markup {
  return (
    <div class="line head" aria-hidden="true">
      <span>span</span>
      <span class="n start">start</span>
      <span class="n">took</span>
      <span class="axis">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span>{part === 0 ? "0" : latencyText(part * total / 1_000)}</span>
        ))}
      </span>
    </div>
  );
}

function spanLine(
  row: WaterfallRow,
  ids: readonly string[],
  { x, start }: WaterfallScale,
): Markup {
  const { span, depth } = row;
  const from = x(span.start_us);
  const width = Math.max(2, x(span.start_us + span.duration_us) - from);
  const gist = gistOf(row);
  return (
    <>
      <span class={`name d${Math.min(8, depth)}`}>
        <span class="own">{spanLabel(row)}</span>{" "}
        {isBad(row) && <OutcomeSign outcome={span.outcome!} />}
        {isNotYet(row) && <span class="more">not yet</span>}{" "}
        {gist !== "" && <span class="gist">{gist}</span>}
      </span>{" "}
      <span class="n start">
        {latencyText((span.start_us - start) / 1_000)}
      </span>{" "}
      <span class="n">{latencyText(span.duration_us / 1_000)}</span>{" "}
      <svg
        class="bar"
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
    </>
  );
}

/** Below its step a check needs no step's name: `assert`, `extract`. */
function spanLabel({ span }: WaterfallRow): string {
  return isCheck(span.kind) ? span.kind : span.name;
}

const HEIGHT = 24;

/** Marks that a strip has room for. */
const MOST = 250;

/**
 * All steps of a long waterfall in one strip that stays in sight; a click leads
 * to the step. It repeats what the lines say, so that only pointers need it. Of
 * very many steps neighbours are one mark, which looks like the worst of them.
 *
 * @param href of a span, by its number
 */
function minimap(
  rows: readonly WaterfallRow[],
  ids: readonly string[],
  { x, start, total }: WaterfallScale,
  href: (span: number) => string | undefined,
): Markup {
  const steps = rows.filter(({ kind }) => kind === "step");
  return (
    <svg
      class="minimap"
      viewBox={`0 0 ${coordinate(x(start + total))} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {chunks(steps, Math.ceil(steps.length / MOST)).map((group) => {
        const row = group.find(isBad) ?? group[0]!;
        const from = Math.min(...group.map(({ span }) => x(span.start_us)));
        const to = Math.max(
          ...group.map(({ span }) => x(span.start_us + span.duration_us)),
        );
        const width = coordinate(Math.max(1, to - from));
        const top = isBad(row) ? 0 : 6;
        return (
          <a href={href(row.number)} tabindex="-1">
            <path
              class={classOf(row, ids)}
              fill="#777"
              d={`M${coordinate(from)} ${top}h${width}v${
                HEIGHT - 2 * top
              }h-${width}z`}
            />
          </a>
        );
      })}
    </svg>
  );
}

/** Where the bars of a waterfall are. */
interface WaterfallScale {
  /** From microseconds of the run to units of the picture. */
  x(us: number): number;
  readonly start: number;
  readonly total: number;
}

/** The colour of a bar: phases, outcomes and steps are three families. */
function classOf(row: WaterfallRow, ids: readonly string[]): string {
  const { span, kind, step } = row;
  if (kind === "phase" || kind === "backoff") return `p-${span.name}`;
  if (isBad(row)) return span.outcome!;
  return `fill-${stepClass(ids, step)}`;
}
