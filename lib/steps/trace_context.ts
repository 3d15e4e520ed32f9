import type { Scope } from "../language/expressions/names.ts";
import type { TextTemplate } from "../language/expressions/text_template.ts";

/** The field that names the trace of a request (W3C Trace Context). */
export const TRACEPARENT = "traceparent";

/** Its value: that of the iteration. */
export const traceParent: TextTemplate = {
  render: ({ traceparent = "" }: Scope) => traceparent,
};
