import { diffArrays } from "diff";
import { ifPossible } from "../../base/values/if_possible.ts";
import { escapeControls } from "../../base/text/display.ts";
import type { CapturedMessage } from "../../model/result/response.ts";
import type { RunMeta } from "../../model/result/run.ts";
import type { Trace } from "../../model/result/trace.ts";
import {
  type CapturedExchange,
  type ExchangeDifference,
  isFleetingField,
} from "../replay/first_difference.ts";
import { onceFailure } from "../report/figures.ts";
import { Page } from "./page.ts";

/** Lines of a body that are shown. */
const MOST_LINES = 12;
/** Lines of a long body, and characters of a long line, before the first that differs. */
const LINES_BEFORE = 3;
const CHARACTERS_BEFORE = 10;

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
  const title = "before".padEnd(column);
  page.line(page.paint("dim", `    ${title} | after`));
  for (const { row, isSame } of rowsOf(difference)) {
    const [a, b] = visible(row, column);
    const line = `${isSame ? " " : "!"}   ${a.padEnd(column)} | ${b}`;
    page.line(isSame ? line : page.paint("yellow", line));
  }
  return page.text();
}

/** A line of one side, and the one beside it. */
type Row = [string, string];

function rowsOf(
  { before, after }: ExchangeDifference,
): { row: Row; isSame: boolean }[] {
  const [left, right] = [before, after].map(partsOf);
  const parts = Array.from(
    { length: Math.max(left!.length, right!.length) },
    (_, at) =>
      aligned(left![at] ?? [], right![at] ?? [], isBodyAt(at) ? whole : field),
  );
  return parts.flatMap((rows, at) => {
    const isBody = isBodyAt(at);
    return (isBody ? shortened(rows) : rows).map((row) => ({
      row,
      isSame: isBody ? row[0] === row[1] : isSameField(row),
    }));
  });
}

const isBodyAt = (part: number) => part === 1 || part === 4;
const whole = (line: string) => line;

/** The name of a header field, by which two are beside each other; other lines as they are. */
function field(line: string): string {
  const [name] = /^[^\s:]+: /.exec(line) ?? [];
  return name?.toLowerCase() ?? line;
}

/** Names of fields are the same in any case of letters. */
function isSameField(row: Row): boolean {
  const [a, b] = row.map((line) => {
    const name = field(line);
    return name === line ? line : name + line.slice(name.length);
  });
  return a === b || row.every(isFleetingField);
}

/** The rows of a body around its first difference. */
function shortened(rows: Row[]): Row[] {
  const first = rows.findIndex(([a, b]) => a !== b);
  const from = first < MOST_LINES ? 0 : first - LINES_BEFORE;
  const to = from + MOST_LINES;
  const left = (count: number): Row[] => {
    const text = `... ${count} more line${count === 1 ? "" : "s"}`;
    return count > 0 ? [[text, text]] : [];
  };
  return [
    ...left(from),
    ...rows.slice(from, to),
    ...left(rows.length - to),
  ];
}

/** Both lines from where they part, when that is beyond the width. */
function visible([a, b]: Row, width: number): Row {
  let same = 0;
  while (a[same] !== undefined && a[same] === b[same]) same++;
  const from = a === b || same < width - 1 ? 0 : same - CHARACTERS_BEFORE;
  const shown = (text: string) =>
    cut(from === 0 || text === "" ? text : `…${text.slice(from)}`, width);
  return [shown(a), shown(b)];
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
 * Lines beside each other, those with one key on one line: a header more does not move
 * the rest. Those between two of them are paired in order.
 */
function aligned(
  left: readonly string[],
  right: readonly string[],
  key: (line: string) => string,
): Row[] {
  const changes = diffArrays(left.map(key), right.map(key), {
    maxEditLength: MOST_CHANGES,
  });
  if (!changes) return paired(left, right);
  const rows: Row[] = [];
  let [from, to] = [0, 0];
  let removed: readonly string[] = [];
  let added: readonly string[] = [];
  for (const { value: { length }, ...change } of changes) {
    if (change.removed) removed = left.slice(from, from += length);
    else if (change.added) added = right.slice(to, to += length);
    else {
      rows.push(
        ...paired(removed, added),
        ...paired(
          left.slice(from, from += length),
          right.slice(to, to += length),
        ),
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
): Row[] {
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, at): Row => [left[at] ?? "", right[at] ?? ""],
  );
}

/** Head and body of the request, an empty line, head and body of the response. */
function partsOf(exchange: CapturedExchange | undefined): string[][] {
  if (!exchange) return [["(no such exchange)"]];
  const { request, response, failure } = exchange;
  return [
    ...messageParts(request),
    [""],
    ...(response ? messageParts(response) : [[failure ?? "(not kept)"]]),
  ];
}

function messageParts(message: CapturedMessage | undefined): string[][] {
  if (!message) return [["(not kept)"], []];
  const { line, headers, body } = message;
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return [head, body === undefined ? [] : bodyLines(body)]
    .map((lines) => lines.map(escapeControls));
}

/** JSON a member a line, so that the one that differs is seen. */
function bodyLines(body: string): string[] {
  return ifPossible(
    () => JSON.stringify(JSON.parse(body), null, 2),
    body,
  ).split("\n");
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
