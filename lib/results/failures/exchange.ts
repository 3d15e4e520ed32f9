import { escapeControls, shortened } from "../../base/text/display.ts";
import type { FailureGroup, RunMeta } from "../../model/result/run.ts";
import type { Exchange } from "../../model/result/failure.ts";
import {
  type CapturedMessage,
  TEXT_FRAME,
} from "../../model/result/response.ts";
import { isExchange, type Trace } from "../../model/result/trace.ts";

/** Characters of a body that are shown. */
const EXCERPT = 500;
/** Characters of a frame that are shown. */
const FRAME = 200;
/** Lines of an exchange, its body included. */
const MOST_LINES = 20;

/**
 * The last exchange of a step, as far as a person needs it to see why the step did
 * not pass; undefined when nothing was sent.
 *
 * @param trace after redaction: a body is cut here, and no secret may be cut in half
 */
export function exchangeOf(
  { spans }: Trace,
  step: string,
): Exchange | undefined {
  const inside = new Set<string>();
  let last: Trace["spans"][number] | undefined;
  // Parents come before their children.
  for (const span of spans) {
    const { parent_id, span_id, name, kind, request, response } = span;
    const isInside = parent_id === undefined
      ? name === step
      : inside.has(parent_id);
    if (!isInside) continue;
    inside.add(span_id);
    if (isExchange(kind) && (request || response)) last = span;
  }
  if (!last) return;
  const { request, response } = last;
  const { body = "", body_encoding } = response ?? {};
  return {
    ...(request && { request: lineOf(request) }),
    ...(response && { response: response.line }),
    ...(body.trim() !== "" && body_encoding === undefined &&
      { body: excerptOf(body) }),
  };
}

/** Begins the line of a frame; those of requests begin with a method. */
export const SENT = "sent ";

/** A frame has no line of its own: its text is what was sent. */
function lineOf({ line, body }: CapturedMessage): string {
  return line === TEXT_FRAME && body !== undefined
    ? `${SENT}${shortened(body.replaceAll(/\s+/g, " "), FRAME)}`
    : line;
}

function excerptOf(body: string): string {
  const lines = body.trim().split(/\r?\n/);
  const room = MOST_LINES - 2;
  const shown = lines.length > room
    ? [...lines.slice(0, room - 1), "…"]
    : lines;
  return shortened(shown.join("\n"), EXCERPT);
}

/**
 * Gives the lines of each failure's exchange, once for each group: request, status,
 * and the beginning of the body. Nothing in them is obeyed by a terminal.
 */
export function exchangesOnce(
  { failures, setup, teardown }: RunMeta,
): (failure: Pick<FailureGroup, "key">) => readonly string[] {
  const all = [setup, teardown].flatMap((each) => each?.failures ?? [])
    .concat(failures);
  const waiting = new Map(all.map(({ key, exchange }) => [key, exchange]));
  return ({ key }) => {
    const exchange = waiting.get(key);
    waiting.delete(key);
    return exchange ? exchangeLines(exchange) : [];
  };
}

/** An exchange as lines of text. */
export function exchangeLines(
  { request, response, body }: Exchange,
): readonly string[] {
  const lines = [request, response, ...body?.split("\n") ?? []];
  return lines.flatMap((each) =>
    each === undefined ? [] : [escapeControls(each.replaceAll("\t", "  "))]
  );
}
