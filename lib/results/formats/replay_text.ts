import { diffArrays } from "diff";
import { ifPossible } from "../../base/values/if_possible.ts";
import { escapeControls } from "../../base/text/display.ts";
import type { CapturedMessage } from "../../model/result/response.ts";
import type { RunMeta } from "../../model/result/run.ts";
import type { Trace } from "../../model/result/trace.ts";
import type {
  CapturedExchange,
  ExchangeDifference,
} from "../replay/first_difference.ts";
import { onceFailure } from "../report/figures.ts";
import { Page } from "./page.ts";

/** Lines of a body that are shown. */
const MOST_LINES = 12;

/** An iteration, and the same once more. */
export interface ShownReplay {
  readonly before: Trace;
  readonly after: Trace;
  readonly difference?: ExchangeDifference;
  /** Of the run that the iteration was carried out in. */
  readonly meta: Pick<RunMeta, "teardown">;
}

/** Two iterations of one flow, and the first exchange that differs, side by side. */
export function renderReplay(
  { before, after, difference, meta: { teardown } }: ShownReplay,
  { color, width }: { readonly color: boolean; readonly width: number },
): string {
  const page = new Page(width, color);
  page.line(
    `iteration ${before.iteration + 1}  ${before.outcome} before, ${
      outcomeText(before, after)
    }`,
  );
  for (const { name, parent_id, failure } of after.spans) {
    if (parent_id !== undefined || !failure) continue;
    page.prose(`step ${name}: ${failure.message}`, "  ");
  }
  const uncleaned = teardown && onceFailure("teardown", teardown);
  if (uncleaned) page.prose(`note: ${uncleaned}`, "  ");
  if (!difference) {
    page.line("  every exchange is the same");
    return page.text();
  }
  const { step, part, exchange } = difference;
  page.line(
    `  first difference: ${part} of exchange ${exchange + 1}, step ${
      escapeControls(step)
    }`,
  );
  page.line();
  const column = Math.max(24, Math.floor((width - 7) / 2));
  const [left, right] = [difference.before, difference.after].map(linesOf);
  const cell = (text: string) => cut(text, column).padEnd(column);
  page.line(page.paint("dim", `    ${cell("before")} | after`));
  for (const [a, b] of aligned(left!, right!)) {
    const line = `${a === b ? " " : "!"}   ${cell(a)} | ${cut(b, column)}`;
    page.line(a === b ? line : page.paint("yellow", line));
  }
  return page.text();
}

/** A throttle that a load run counts as data is a failure of a functional check. */
function outcomeText(before: Trace, after: Trace): string {
  const isThrottle = before.outcome === "throttled" &&
    after.outcome === "failed" &&
    !after.spans.some(({ parent_id, outcome }) =>
      parent_id === undefined && outcome === "failed"
    );
  return isThrottle
    ? "throttled now, which is a failure of a functional check"
    : `${after.outcome} now`;
}

/** Changes beyond which two texts have little in common: lines are paired in order then. */
const MOST_CHANGES = 1_000;

/**
 * Lines beside each other, equal ones on one line: a header more does not move the
 * rest. Those between two equal ones are paired in order.
 */
function aligned(
  left: readonly string[],
  right: readonly string[],
): [string, string][] {
  const changes = diffArrays([...left], [...right], {
    maxEditLength: MOST_CHANGES,
  });
  if (!changes) return paired(left, right);
  const rows: [string, string][] = [];
  let removed: readonly string[] = [];
  let added: readonly string[] = [];
  for (const change of changes) {
    if (change.removed) removed = change.value;
    else if (change.added) added = change.value;
    else {
      rows.push(
        ...paired(removed, added),
        ...paired(change.value, change.value),
      );
      removed = [];
      added = [];
    }
  }
  return [...rows, ...paired(removed, added)];
}

function paired(
  left: readonly string[],
  right: readonly string[],
): [string, string][] {
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, at) => [left[at] ?? "", right[at] ?? ""],
  );
}

function linesOf(exchange: CapturedExchange | undefined): string[] {
  if (!exchange) return ["(no such exchange)"];
  const { request, response, failure } = exchange;
  return [
    ...messageLines(request),
    "",
    ...(response ? messageLines(response) : [failure ?? "(not kept)"]),
  ];
}

function messageLines(message: CapturedMessage | undefined): string[] {
  if (!message) return ["(not kept)"];
  const body = message.body === undefined ? [] : bodyLines(message.body);
  return [
    message.line,
    ...message.headers.map(([name, value]) => `${name}: ${value}`),
    ...body,
  ].map(escapeControls);
}

/** JSON a member a line, so that the one that differs is seen. */
function bodyLines(body: string): string[] {
  const lines = ifPossible(
    () => JSON.stringify(JSON.parse(body), null, 2),
    body,
  ).split("\n");
  return lines.length > MOST_LINES
    ? [
      ...lines.slice(0, MOST_LINES),
      `... ${lines.length - MOST_LINES} more lines`,
    ]
    : lines;
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
