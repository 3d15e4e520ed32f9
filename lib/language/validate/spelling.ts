import * as v from "valibot";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";

/**
 * A valid flow with its blocks in their one spelling, as their schemas give it:
 * IR that another program wrote may have another one.
 */
export function inOneSpelling(flow: Flow, { kinds }: Registry): Flow {
  const steps = flow.steps.map((step) => {
    const schema = kinds.get(step.kind)?.block.schema;
    return schema ? { ...step, block: v.parse(schema, step.block) } : step;
  });
  return { ...flow, steps };
}
