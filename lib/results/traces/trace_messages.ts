import type {
  BodyLimits,
  CapturedMessage,
  StepResponse,
} from "../../model/result/response.ts";
import { cutHead } from "./trace_heads.ts";

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
