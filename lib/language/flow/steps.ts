import type { JsonObject } from "../../base/values/json.ts";
import { formOf } from "../fields/form.ts";
import { itemsOf, listForm } from "../fields/list.ts";
import type { Slot } from "../fields/slot.ts";
import type { Form, Value } from "../fields/value.ts";
import { takes } from "./action.ts";
import type { WrittenAuth } from "./auth.ts";
import { type Kind, STEP_KEYS } from "./kind.ts";
import { blockKeys, type Registry } from "./registry.ts";
import { readStep, stepFields } from "./step.ts";
import type { Step } from "./step_form.ts";

/** A flow has at most this many steps. */
const MAX_STEPS = 1_000;
const LIST = { of: "steps", hint: "start each step with `- id: <name>`" };

/** Reads the list of steps; every step gives one, however wrong it is. */
export function readSteps(
  slot: Slot,
  registry: Registry,
  auth: WrittenAuth | undefined,
): Step[] | undefined {
  slot.reader.locate(slot.pointer, slot.node.at);
  const items = itemsOf(slot, LIST);
  if (slot.node.kind !== "list") return;
  const excess = items[MAX_STEPS];
  if (excess) {
    slot.report({
      at: excess.at,
      code: "too-many-steps",
      message:
        `a flow has at most ${MAX_STEPS} steps, but this one has ${items.length}`,
      hint: "split it into several flows",
    });
  }
  const context = { registry, auth, fields: stepFields(registry) };
  return items.slice(0, MAX_STEPS)
    .map((item, index) => readStep(item, index, slot, context));
}

/** `steps` to an editor: each has one action, and the keys that go with it. */
function stepsForm(registry: Registry): Form {
  const kinds = [...registry.kinds.values()];
  const keys = [...Object.keys(blockKeys(registry)), ...STEP_KEYS];
  const oneOf = kinds.map((kind) => formOfKind(kind, keys));
  const step = formOf(stepFields(registry), [{ oneOf }]);
  return { ...listForm(step, { least: true }), maxItems: MAX_STEPS };
}

function formOfKind(kind: Kind, keys: readonly string[]): JsonObject {
  const misplaced = keys.filter((key) => !takes(kind, key));
  const either = Object.entries(kind.block.fields)
    .filter(([, { written }]) => written === "either").map(([key]) => key);
  return {
    required: [kind.kind],
    ...(misplaced.length > 0 && {
      properties: Object.fromEntries(misplaced.map((key) => [key, false])),
    }),
    ...(either.length > 0 && {
      allOf: either.map((key) => ({
        not: {
          required: [key],
          properties: { [kind.kind]: { required: [key] } },
        },
      })),
    }),
  };
}

/** The steps as a field of the flow file. */
export function stepsValue(registry: Registry): Value<Step[]> {
  const item = { inside: { fields: stepFields(registry) } } as Value<Step>;
  return {
    form: stepsForm(registry),
    inside: { item },
  } as unknown as Value<Step[]>;
}
