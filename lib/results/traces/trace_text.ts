import * as zlib from "node:zlib";
import type { Trace } from "../../model/result/trace.ts";

/** The JSON of a trace, deflated: a tenth of the memory of what it is built of. */
export function deflated(trace: Trace): Uint8Array<ArrayBuffer> {
  const level = zlib.constants.Z_BEST_SPEED;
  return new Uint8Array(zlib.deflateSync(JSON.stringify(trace), { level }));
}

/** The trace of such a text. */
export function inflated(bytes: Uint8Array): Trace {
  return JSON.parse(zlib.inflateSync(bytes).toString());
}
