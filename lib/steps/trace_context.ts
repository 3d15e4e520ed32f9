import type { Scope } from "../language/expressions/names.ts";
import type { TextTemplate } from "../language/expressions/text_template.ts";

/** The field that tells a server which trace a request belongs to (W3C Trace Context). */
export const TRACEPARENT = "traceparent";

/** Its value: that of the iteration. */
export const traceParent: TextTemplate = {
  render: ({ traceparent = "" }: Scope) => traceparent,
};
