import type { CapturedMessage } from "../../model/result/response.ts";
import { isExchange, type Trace } from "../../model/result/trace.ts";

/** The first exchange of two iterations that is not the same. */
export interface ExchangeDifference {
  readonly step: string;
  /** 0-based among the exchanges of the iteration. */
  readonly exchange: number;
  /** The part that differs: `request`, `status`, `headers`, `body`, or that there is none. */
  readonly part: "request" | "status" | "headers" | "body" | "missing";
  /** As it was, and as it is now; absent where there was none. */
  readonly before?: CapturedExchange;
  readonly after?: CapturedExchange;
}

/** Both sides of an exchange, as they were captured. */
export interface CapturedExchange {
  readonly step: string;
  readonly request?: CapturedMessage;
  readonly response?: CapturedMessage;
  /** Why there is no response. */
  readonly failure?: string;
}

/** Fields that differ from response to response of any server, or are of its connection. */
const FLEETING = new Set([
  "date",
  "age",
  "connection",
  "etag",
  "expires",
  "keep-alive",
  "last-modified",
  "sec-websocket-accept",
  "set-cookie",
  "server-timing",
  "x-request-id",
  "x-runtime",
  "traceparent",
]);

/** Whether the line of a head is of a field that is not compared. */
export function isFleetingField(line: string): boolean {
  const [, name] = /^([^:\s]+): /.exec(line) ?? [];
  return name !== undefined && FLEETING.has(name.toLowerCase());
}

/** The exchanges of an iteration, in order. */
function exchangesOf({ spans }: Trace): CapturedExchange[] {
  let step = "";
  return spans.flatMap((span) => {
    if (span.kind === "step") step = span.name;
    return isExchange(span.kind)
      ? [{
        step,
        ...(span.request && { request: span.request }),
        ...(span.response && { response: span.response }),
        ...(span.failure && !span.response &&
          { failure: span.failure.message }),
      }]
      : [];
  });
}

/** Where two iterations of one flow part; undefined when they do not. */
export function firstDifference(
  before: Trace,
  after: Trace,
): ExchangeDifference | undefined {
  const [was, is] = [exchangesOf(before), exchangesOf(after)];
  for (let i = 0; i < Math.max(was.length, is.length); i++) {
    const [a, b] = [was[i], is[i]];
    const part = !a || !b ? "missing" : partOf(a, b);
    if (part === undefined) continue;
    return {
      step: (a ?? b)!.step,
      exchange: i,
      part,
      ...(a && { before: a }),
      ...(b && { after: b }),
    };
  }
}

function partOf(
  a: CapturedExchange,
  b: CapturedExchange,
): ExchangeDifference["part"] | undefined {
  if (a.step !== b.step) return "missing";
  if (differ(a.request, b.request, ["line", "body"])) return "request";
  if (!a.response || !b.response) {
    // A load run may have dropped what it received.
    return a.failure === b.failure ? undefined : "status";
  }
  if (statusOf(a.response) !== statusOf(b.response)) return "status";
  if (differ(a.response, b.response, ["body"])) return "body";
  return headersOf(a.response) === headersOf(b.response)
    ? undefined
    : "headers";
}

function differ(
  a: CapturedMessage | undefined,
  b: CapturedMessage | undefined,
  parts: readonly ("line" | "body")[],
): boolean {
  if (!a || !b) return false;
  // Of a long body no more than its beginning and its length are stored.
  const isLonger = parts.includes("body") && a.body_truncated === true &&
    b.body_truncated === true && a.body_bytes !== b.body_bytes;
  return isLonger ||
    parts.some((part) =>
      a[part] !== undefined && b[part] !== undefined && a[part] !== b[part]
    );
}

function statusOf({ line }: CapturedMessage): string {
  return line.split(" ")[1] ?? line;
}

function headersOf({ headers }: CapturedMessage): string {
  return headers.map(([name, value]) => [name.toLowerCase(), value])
    .filter(([name]) => !FLEETING.has(name!))
    .map((field) => field.join(": ")).sort().join("\n");
}
