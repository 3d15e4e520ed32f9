import type { Names } from "../../language/expressions/names.ts";
import type { Flow } from "../../language/ir.ts";

/** Gives every variable and pool of `flow` its slot. */
export function namesOf(
  flow: Flow,
  env: ReadonlyMap<string, string>,
): Names {
  const variables = new Set(
    flow.steps.flatMap((step) => Object.keys(step.extract ?? {})),
  );
  return {
    variables: numbered([...variables]),
    pools: numbered((flow.pools ?? []).map((pool) => pool.name)),
    env,
  };
}

function numbered(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, slot) => [name, slot]));
}
