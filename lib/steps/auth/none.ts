import type { Scheme } from "./scheme.ts";

/** Sends nothing: opts a step out of the flow's default. */
export const none: Scheme<Record<never, never>> = {
  name: "none",
  doc: "Nothing.",
  fields: {},
  sendsNothing: true,
  prepare: () => ({}),
};
