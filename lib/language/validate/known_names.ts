import type { Flow } from "../ir.ts";

/** The names a flow defines. */
export interface KnownNames {
  /** Pools by name; YAML has one, `user`. */
  readonly pools: ReadonlySet<string>;
  /** Steps that extract each variable, by index, in order. */
  readonly extractedBy: ReadonlyMap<string, readonly number[]>;
}

/** Collects the names of a flow. */
export function knownNames(flow: Flow): KnownNames {
  const extractedBy = new Map<string, number[]>();
  for (const [index, step] of flow.steps.entries()) {
    for (const name of Object.keys(step.extract ?? {})) {
      const steps = extractedBy.get(name);
      if (steps) steps.push(index);
      else extractedBy.set(name, [index]);
    }
  }
  return {
    pools: new Set((flow.pools ?? []).map(({ name }) => name)),
    extractedBy,
  };
}

/** Whether `name` is extracted before step `index` makes its request. */
export function extractedBefore(
  names: KnownNames,
  name: string,
  index: number,
): boolean {
  return (names.extractedBy.get(name)?.[0] ?? Infinity) < index;
}

/** Variables that step `index` may use in its templates. */
export function variablesBefore(names: KnownNames, index: number): string[] {
  return [...names.extractedBy.keys()]
    .filter((name) => extractedBefore(names, name, index));
}
