import type { CapturedMessage, Reply } from "../../model/result/reply.ts";
import { cutHead } from "./trace_heads.ts";

/**
 * What was sent and what came, as a trace shows it.
 *
 * @param bodyBytes of a response's body that are kept at most
 */
export function messagesOf(
  reply: Reply,
  bodyBytes: number,
): { request?: CapturedMessage; response?: CapturedMessage } {
  const request = shown(() => reply.request());
  const response = shown(() => reply.response(bodyBytes));
  return {
    ...(request && { request: cutHead(request) }),
    ...(response && { response: cutHead(response) }),
  };
}

/** A message that cannot be shown, as whoever sent it may make it, ends no run. */
function shown(
  message: () => CapturedMessage | undefined,
): CapturedMessage | undefined {
  try {
    return message();
  } catch (error) {
    return { line: `(not captured: ${(error as Error).name})`, headers: [] };
  }
}
