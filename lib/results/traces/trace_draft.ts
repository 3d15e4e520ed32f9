import {
  type BodyLimits,
  type CapturedMessage,
  FIELD_BYTES,
  HEAD_BYTES,
  type StepResponse,
} from "../../model/result/response.ts";
import {
  type Span,
  type Trace,
  withMessages,
} from "../../model/result/trace.ts";

/**
 * A trace that is kept as of now. Most of them give way to others before anybody
 * reads them, so it is built when it is read; it is not held, as a long one is
 * many times the memory of the results it is built of. Once it was handed on, it
 * is a text, which takes less than either.
 */
export interface TraceDraft {
  readonly iteration: number;
  /** Of `Trace`, packed. */
  readonly cells: readonly number[];
  /** Whether it was handed on, which happens once. */
  given: boolean;
  build: () => Trace;
}

/** A kept trace, with its failure group when that is why it is kept. */
export interface KeptTrace {
  readonly group?: string;
  readonly item: Trace;
}

/** Request and response, as a trace shows them. */
export function messagesOf(
  response: StepResponse,
  limits: BodyLimits,
): { request?: CapturedMessage; response?: CapturedMessage } {
  const sent = captured(() => response.capturedRequest(limits));
  const received = captured(() => response.capturedResponse(limits));
  return {
    ...(sent && { request: cutHead(sent) }),
    ...(received && { response: cutHead(received) }),
  };
}

/** A message that cannot be shown, as a sender may make it, ends no run. */
function captured(
  message: () => CapturedMessage | undefined,
): CapturedMessage | undefined {
  try {
    return message();
  } catch (error) {
    return { line: `(not captured: ${(error as Error).name})`, headers: [] };
  }
}

/** A line of so many characters is kept in any case: it says which exchange this is. */
const SHORT_LINE = 200;

/**
 * The message with a head of at most `most` bytes: fields that do not fit are
 * left out. Whole ones, because this comes before redaction: half a secret
 * would not be found.
 */
export function cutHead(
  message: CapturedMessage,
  most: number = HEAD_BYTES,
): CapturedMessage {
  const lineFits = message.line.length <= Math.max(most, SHORT_LINE);
  let left = most - (lineFits ? message.line.length : 0);
  const headers = message.headers.filter(([name, value]) => {
    const size = name.length + value.length + FIELD_BYTES;
    if (size > left) return false;
    left -= size;
    return true;
  });
  if (lineFits && headers.length === message.headers.length) return message;
  return {
    ...message,
    ...(!lineFits && { line: shortLine(message.line) }),
    headers,
    headers_truncated: true,
  };
}

/** A status line without its reason, or a request line without its target. */
function shortLine(line: string): string {
  const [first = "", second = ""] = line.split(" ", 2);
  if (second.length === 3) return `${first} ${second}`;
  return line.replace(/^(\S+) .* (HTTP\/[\d.]+)$/s, "$1 /… $2");
}

/** The size of the head. */
export function headSize({ line, headers }: CapturedMessage): number {
  return headers.reduce(
    (size, [name, value]) => size + name.length + value.length + FIELD_BYTES,
    line.length,
  );
}

/**
 * The trace with messages of `most` characters in all: fields and bodies beyond are left
 * out. The steps that did not pass come first: one that ends its iteration is the last.
 */
export function withinShare(trace: Trace, most: number): Trace {
  let left = most;
  let cut = false;
  const trim = (whole: CapturedMessage): CapturedMessage => {
    const message = cutHead(whole, Math.min(left, HEAD_BYTES));
    left = Math.max(0, left - headSize(message));
    const { body, ...rest } = message;
    const fits = body === undefined || body.length <= left;
    if (fits) left -= body?.length ?? 0;
    const short = fits ? message : { ...rest, body_truncated: true };
    if (short.headers_truncated || short.body_truncated) cut = true;
    return short;
  };
  const first = new Map<CapturedMessage, CapturedMessage>();
  withMessages(ofBadSteps(trace.spans), (message) => {
    first.set(message, trim(message));
    return message;
  });
  const spans = withMessages(
    trace.spans,
    (message) => first.get(message) ?? trim(message),
  );
  return cut ? { ...trace, spans } : trace;
}

/** The spans of steps that did not pass, with all below them. */
function ofBadSteps(spans: readonly Span[]): Span[] {
  const ids = new Set<string | undefined>();
  return spans.filter(({ span_id, parent_id, outcome }) => {
    const isBad = parent_id === undefined
      ? outcome !== undefined && outcome !== "passed"
      : ids.has(parent_id);
    if (isBad) ids.add(span_id);
    return isBad;
  });
}
