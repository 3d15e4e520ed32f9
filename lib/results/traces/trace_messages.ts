import type {
  BodyLimits,
  CapturedMessage,
  StepResponse,
} from "../../model/result/response.ts";

/** What was sent and what came, as a trace shows it. */
export function messagesOf(
  response: StepResponse,
  limits: BodyLimits,
): { request?: CapturedMessage; response?: CapturedMessage } {
  const sent = shown(() => response.capturedRequest(limits));
  const received = shown(() => response.capturedResponse(limits));
  return {
    ...(sent && { request: cutHead(sent) }),
    ...(received && { response: cutHead(received) }),
  };
}

/** A message that cannot be shown, as a sender may make it, ends no run. */
function shown(
  message: () => CapturedMessage | undefined,
): CapturedMessage | undefined {
  try {
    return message();
  } catch (error) {
    return { line: `(not captured: ${(error as Error).name})`, headers: [] };
  }
}

/** What the head of one message may take in a trace. */
export const HEAD_BYTES: number = 64 * 1024;

/** What a field takes beside its characters: a head of many small ones is large. */
const FIELD_BYTES = 100;

/**
 * The message with a head of at most `most` bytes: fields that do not fit are
 * left out. Whole ones, because this comes before redaction: half a secret
 * would not be found.
 */
export function cutHead(
  message: CapturedMessage,
  most: number = HEAD_BYTES,
): CapturedMessage {
  const lineFits = message.line.length <= most;
  let left = most - (lineFits ? message.line.length : 0);
  const headers = message.headers.filter(([name, value]) => {
    const size = name.length + value.length + FIELD_BYTES;
    if (size > left) return false;
    left -= size;
    return true;
  });
  if (lineFits && headers.length === message.headers.length) return message;
  const [first = "", second = ""] = message.line.split(" ", 2);
  return {
    ...message,
    // A status line without its reason, or a method without its target.
    ...(!lineFits && {
      line: second.length === 3 ? `${first} ${second}` : first,
    }),
    headers,
    headers_truncated: true,
  };
}

/** What the head takes. */
export function headSize({ line, headers }: CapturedMessage): number {
  return headers.reduce(
    (size, [name, value]) => size + name.length + value.length + FIELD_BYTES,
    line.length,
  );
}
