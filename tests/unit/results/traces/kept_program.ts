/**
 * Traces are kept of sessions of 200 echoes each. Prints how many bytes of the heap one of
 * them takes, beside what it has in buffers, and how many readers of closed connections live on.
 */
import { FrameResponse } from "../../../../lib/steps/ws/response.ts";
import { WsFrame } from "../../../../lib/steps/ws/frame.ts";
import { Recorder } from "../../../../lib/results/record/recorder.ts";
import { SampledTraces } from "../../../../lib/results/traces/traces.ts";
import { Http1Response } from "../../../../lib/wire/http1/http1_response.ts";
import { ResponseReader } from "../../../../lib/wire/http1/response_reader.ts";
import {
  PassedStep,
  type StepResult,
} from "../../../../lib/model/result/iteration.ts";
import { startMarks } from "../../../../lib/model/result/response.ts";
import { attemptOf, IDS, iterationOf, stepOf } from "../record/fixtures.ts";
import { httpResponse } from "../../steps/http/wire_response.ts";

const TRACES = 200;
const { gc } = globalThis as unknown as { gc(): void };
const readers: WeakRef<ResponseReader>[] = [];
const traces = new SampledTraces((iteration) => iteration / TRACES);
const recorder = new Recorder({
  ...{ start: 0, steps: [{ id: "echo", kind: "ws" }], ids: IDS },
  ...{ traces, rows: false },
});
const text = new TextEncoder();
const KINDS = Array.from({ length: 200 }, (_, index) => ({ index, held: [] }));

/** A step whose response is copied, as that of a drawn iteration is, and its connection closed. */
function handshake(): StepResult {
  const reader = new ResponseReader();
  readers.push(new WeakRef(reader));
  reader.next();
  const head = text.encode("HTTP/1.1 101 Switching Protocols\r\n\r\n");
  reader.room().set(head);
  reader.take(head.length);
  const wire = new Http1Response(reader, undefined, startMarks(0), 0, 0);
  return stepOf({ attempts: [attemptOf({ response: httpResponse(wire) })] });
}

/** The latencies lie in some forty cells. */
function echo(index: number): PassedStep {
  const start = index * 10;
  const end = start + 1.1 ** (index % 40);
  const response = FrameResponse.of(
    {
      ...{ start, end, sent: "ping" },
      came: new WsFrame(end, true, text.encode(`echo ${index}`)),
      ...{ bytesSent: 10, bytesReceived: 10 },
      ...{ failure: undefined, before: undefined, samples: undefined },
    },
    "full",
    undefined,
  );
  response.checked();
  return new PassedStep(KINDS[index]!, response);
}

function keep(iteration: number): void {
  const steps = [handshake(), ...KINDS.keys().map(echo)];
  recorder.iteration(
    iterationOf({ iteration, steps, endedAt: TRACES + iteration }),
  );
}

function heap(): number {
  gc();
  return Deno.memoryUsage().heapUsed;
}

keep(0);
const before = heap();
for (let iteration = 1; iteration <= TRACES; iteration++) keep(iteration);
// In a later turn, when nothing on the stack refers to the last one.
setTimeout(() => {
  const bytes = (heap() - before) / TRACES;
  const living = readers.filter((each) => each.deref()).length;
  Deno.stdout.writeSync(text.encode(JSON.stringify({ bytes, living })));
  if (traces.data().sample.length !== TRACES) throw new Error("not all kept");
});
