import type { FlameNode } from "./flame_tree.ts";

/** What the time of a step is divided into, in the order it passes. */
export const PHASES = [
  "dns",
  "connect",
  "tls",
  "ttfb",
  "transfer",
  "backoff",
] as const;
export type Phase = typeof PHASES[number] | "rest";

/** Where the time of one step went, over all kept traces. */
export interface PhaseShares {
  readonly step: string;
  /** Microseconds. */
  readonly total: number;
  /** Of `total`; `rest` is checks, waits and what lies between. */
  readonly shares: Readonly<Record<Phase, number>>;
}

/** @param root of the merged spans of all kept traces */
export function phaseShares(
  root: FlameNode,
  steps: readonly string[],
): PhaseShares[] {
  return steps.flatMap((step) => {
    const node = root.children.get(step);
    if (!node || node.total === 0) return [];
    const times = Object.fromEntries(PHASES.map((name) => [name, 0]));
    add(node, times);
    const known = PHASES.map((name) =>
      [name, times[name]! / node.total] as const
    );
    const sum = known.reduce((total, [, share]) => total + share, 0);
    return [{
      step,
      total: node.total,
      shares: {
        ...Object.fromEntries(known),
        rest: Math.max(0, 1 - sum),
      } as Record<Phase, number>,
    }];
  });
}

function add(node: FlameNode, times: Record<string, number>): void {
  for (const child of node.children.values()) {
    if (Object.hasOwn(times, child.name)) times[child.name]! += child.total;
    else add(child, times);
  }
}
