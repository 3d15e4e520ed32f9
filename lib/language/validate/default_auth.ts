import type { Flow, Step } from "../ir.ts";
import type { JsonObject } from "../../base/values/json.ts";

/**
 * The flow with its default auth on one more step, which has nothing else:
 * whatever checks steps checks the default, too, whether a step inherits it or
 * not. Only checks may see that step; it has no kind and no id.
 */
export function withDefaultAuth(
  flow: Flow,
  auth: JsonObject | undefined,
): Flow {
  if (!auth) return flow;
  const step: Step = {
    id: "",
    kind: "",
    block: {},
    auth,
    on_failure: "record",
  };
  return { ...flow, steps: [...flow.steps, step] };
}
