import { type Marks, startMarks } from "../../model/result/reply.ts";
import { type Http2Answer, unsent } from "../../wire/http2/answer.ts";
import {
  Http2Connection,
  type Http2Tools,
  type loadHttp2,
} from "../../wire/http2/connection.ts";
import { WireError } from "../../wire/net/wire_error.ts";
import type { ReadyCall } from "./request.ts";
import type { AttemptContext } from "../protocol.ts";

/**
 * Sends one call on the VU's connection to its origin, which is dialled when
 * there is none. Never rejects for trouble on the wire.
 *
 * @param timeoutMs the dial included
 */
export async function exchangeCall(
  { origin, headers, body }: ReadyCall,
  context: AttemptContext,
  http2: Awaited<ReturnType<typeof loadHttp2>>,
  timeoutMs: number,
): Promise<Http2Answer> {
  const key = `grpc ${origin.key}`;
  const kept = context.lasting.get(key) as Http2Connection | undefined;
  if (kept?.ready) return await kept.exchange(headers, body, timeoutMs);
  if (kept) {
    context.lasting.delete(key);
    await kept.close();
  }
  const marks = startMarks(context.now());
  try {
    const dialed = await context.dial(origin, timeoutMs, ["h2"], marks);
    const tools: Http2Tools = {
      http2,
      now: () => context.now(),
      deadlines: context.deadlines,
    };
    const connection = new Http2Connection(dialed, origin, tools);
    context.lasting.set(key, connection);
    // The run may have been told to end while the dial was under way.
    if (context.signal.aborted) {
      await connection.close();
      return aborted(marks, context);
    }
    return await connection.exchange(headers, body, timeoutMs, marks);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    marks.end = context.now();
    return unsent(error.failure, marks);
  }
}

function aborted(marks: Marks, context: AttemptContext): Http2Answer {
  marks.end = context.now();
  const message = "The connection was given up before anything was sent";
  return unsent({ code: "aborted", message }, marks);
}
