import { exchangeless, type Protocol } from "./protocol.ts";
import { duration } from "../language/fields/durations.ts";
import { inline, under } from "../language/fields/mapping.ts";
import type { ValueOf } from "../language/fields/field.ts";

const block = inline(under("duration_us", duration));

/** Pauses; makes no request. */
export const wait: Protocol<ValueOf<typeof block>> = {
  kind: "wait",
  doc: "a pause, such as 500ms",
  block,
  keys: [],
  requests: false,
  waitsUs: ({ duration_us }) => duration_us,
  open({ duration_us }) {
    return {
      async attempt(context) {
        const start = context.now();
        await context.sleep(duration_us / 1_000);
        return exchangeless(start, context.now());
      },
    };
  },
};
