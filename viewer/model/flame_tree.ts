import type { Trace } from "../../lib/model/result/trace.ts";

/** Time spent in one place, over all kept traces. Microseconds. */
export interface FlameNode {
  readonly name: string;
  /** With everything below it. */
  total: number;
  /** Of `total`, in traces that did not pass. */
  bad: number;
  count: number;
  readonly children: Map<string, FlameNode>;
}

/** A hostile file may nest spans without end. */
const DEEPEST = 100;

/** Checks of one kind are one box: a thousand assertions are not a picture. */
const CHECK = /\.(extract|assert|until)@/;

/**
 * The spans of many traces as one tree: step, attempt, exchange, phase. Its
 * size depends on the flow and not on the number of traces.
 */
export class FlameTree {
  readonly root: FlameNode = node("all");
  traces = 0;
  spans = 0;

  add(trace: Trace): void {
    this.traces++;
    this.spans += trace.spans.length;
    const below = Map.groupBy(trace.spans, ({ parent_id }) => parent_id);
    const bad = trace.outcome !== "passed";
    const seen = new Set<string>();
    const grow = (
      into: FlameNode,
      id: string | undefined,
      depth: number,
    ): number => {
      let sum = 0;
      if (depth > DEEPEST) return sum;
      for (const span of below.get(id) ?? []) {
        // Ids of a hostile file may go round in circles.
        if (seen.has(span.span_id)) continue;
        seen.add(span.span_id);
        const name = nameOf(span.name);
        let child = into.children.get(name);
        if (!child) into.children.set(name, child = node(name));
        const time = Math.max(
          span.duration_us,
          grow(child, span.span_id, depth + 1),
        );
        child.total += time;
        child.count++;
        if (bad) child.bad += time;
        sum += time;
      }
      return sum;
    };
    const total = grow(this.root, undefined, 0);
    this.root.total += total;
    this.root.count++;
    if (bad) this.root.bad += total;
  }
}

/** Time not spent in anything below. */
export function selfTime(node: FlameNode): number {
  let below = 0;
  for (const child of node.children.values()) below += child.total;
  return Math.max(0, node.total - below);
}

function nameOf(name: string): string {
  const check = CHECK.exec(name);
  return check ? `${check[1]}s` : name;
}

function node(name: string): FlameNode {
  return { name, total: 0, bad: 0, count: 0, children: new Map() };
}
