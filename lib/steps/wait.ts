import * as v from "valibot";
import { exchangeless } from "./http/silent_reply.ts";
import { DURATION } from "../language/source/form.ts";
import { readDuration } from "../language/source/scalars.ts";
import type { Protocol } from "./protocol.ts";

const schema = v.strictObject({
  duration_us: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
type WaitBlock = v.InferOutput<typeof schema>;

/** Pauses; makes no request. */
export const wait: Protocol<WaitBlock> = {
  kind: "wait",
  doc: "a pause, such as 500ms",
  keys: [],
  form: DURATION,
  requests: false,
  schema,
  parse(source, reader) {
    reader.place(`${source.pointer}/block/duration_us`, source.action.at);
    const duration_us = readDuration(source.action, "`wait`", reader);
    return duration_us === undefined ? undefined : { duration_us };
  },
  waitsUs: (block) => block.duration_us,
  templates: () => [],
  urls: () => [],
  open(block) {
    return {
      async attempt(context) {
        const start = context.now();
        await context.sleep(block.duration_us / 1_000);
        return exchangeless(start, context.now());
      },
    };
  },
};
