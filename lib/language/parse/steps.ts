import type { Step } from "../../model/ir/flow.ts";
import { describe, type Entry } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import type { FlowAuth } from "./auth.ts";
import { readStep } from "./step.ts";

/** A flow has at most this many steps. */
export const MAX_STEPS = 1_000;

/**
 * Reads the list of steps; every step gives one, however wrong it is.
 * Returns undefined when there is no list.
 */
export function readSteps(
  { value: node }: Entry,
  auth: FlowAuth | undefined,
  reader: Reader,
): Step[] | undefined {
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`steps\` must be a list, but it is ${describe(node)}`,
      hint: "start each step with `- id: <name>`",
    });
    return;
  }
  const excess = node.items[MAX_STEPS];
  if (excess) {
    reader.report({
      at: excess.at,
      code: "too-many-steps",
      message:
        `a flow has at most ${MAX_STEPS} steps, but this one has ${node.items.length}`,
      hint: "split it into several flows",
    });
  }
  return node.items.slice(0, MAX_STEPS).map((item, index) =>
    readStep(item, index, auth, reader)
  );
}
