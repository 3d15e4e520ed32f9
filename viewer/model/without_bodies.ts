import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { Trace } from "../../lib/model/result/trace.ts";

/** The trace without what was sent and received in bodies and frames. */
export function withoutBodies(trace: Trace): Trace {
  return {
    ...trace,
    spans: trace.spans.map(({ request, response, ...span }) => ({
      ...span,
      ...(request && { request: bodiless(request) }),
      ...(response && { response: bodiless(response) }),
    })),
  };
}

/** Its size stays. */
function bodiless(
  message: CapturedMessage,
): CapturedMessage {
  const {
    body: _,
    body_encoding: _e,
    body_truncated: _t,
    body_sha256: _h,
    ...rest
  } = message;
  return rest;
}

/** The traces as they are, or without bodies. */
export async function* maybeWithoutBodies(
  traces: AsyncIterable<Trace>,
  bodies: boolean,
): AsyncGenerator<Trace> {
  for await (const trace of traces) yield bodies ? trace : withoutBodies(trace);
}
