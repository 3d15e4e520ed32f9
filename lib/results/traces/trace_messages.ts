import type {
  BodyLimits,
  CapturedMessage,
  Reply,
} from "../../model/result/reply.ts";
import { cutHead } from "./trace_heads.ts";

/** What was sent and what came, as a trace shows it. */
export function messagesOf(
  reply: Reply,
  limits: BodyLimits,
): { request?: CapturedMessage; response?: CapturedMessage } {
  const request = shown(() => reply.request(limits));
  const response = shown(() => reply.response(limits));
  return {
    ...(request && { request: cutHead(request) }),
    ...(response && { response: cutHead(response) }),
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
