import * as v from "valibot";
import { protocols } from "../../steps/registry.ts";
import type { Flow } from "../../model/ir/flow.ts";
import type { JsonObject } from "../../base/values/json.ts";

/**
 * A valid flow with its blocks in their one spelling, as their schemas give it:
 * IR that another program wrote may have another one.
 */
export function inOneSpelling(flow: Flow): Flow {
  const steps = flow.steps.map((step) => {
    const protocol = protocols.get(step.kind);
    if (!protocol) return step;
    const block = v.parse(protocol.schema, step.block) as JsonObject;
    return { ...step, block };
  });
  return { ...flow, steps };
}
