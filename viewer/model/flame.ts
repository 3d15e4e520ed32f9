import {
  isCheck,
  type Span,
  type Trace,
} from "../../lib/model/result/trace.ts";

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
        const name = boxName(span);
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

/** Checks of one kind are one box: a thousand assertions are not a picture. */
function boxName(span: Span): string {
  return isCheck(span.kind) ? `${span.kind}s` : span.name;
}

function node(name: string): FlameNode {
  return { name, total: 0, bad: 0, count: 0, children: new Map() };
}

/** One box of a flame graph. */
export interface FlameBox {
  /** Names from the root down, without the root itself. */
  readonly path: readonly string[];
  readonly name: string;
  readonly depth: number;
  /** Shares of the shown width. */
  readonly from: number;
  readonly width: number;
  readonly total: number;
  readonly self: number;
  readonly bad: number;
  readonly count: number;
}

/** Boxes narrower than this are put together. */
const NARROWEST = 0.001;
const MOST = 5_000;

/** The node a path leads to; undefined when there is none. */
export function nodeAt(
  root: FlameNode,
  path: readonly string[],
): FlameNode | undefined {
  return path.reduce<FlameNode | undefined>(
    (node, name) => node?.children.get(name),
    root,
  );
}

/** Boxes from `top` down, the heaviest on the left. */
export function flameBoxes(
  top: FlameNode,
  path: readonly string[],
): FlameBox[] {
  const boxes: FlameBox[] = [];
  const whole = top.total || 1;
  const put = (
    node: FlameNode,
    at: readonly string[],
    depth: number,
    from: number,
  ) => {
    boxes.push({
      path: at,
      name: node.name,
      depth,
      from,
      width: node.total / whole,
      total: node.total,
      self: selfTime(node),
      bad: node.bad,
      count: node.count,
    });
    let x = from;
    const children = [...node.children.values()].sort((a, b) =>
      b.total - a.total
    );
    let rest = 0;
    let count = 0;
    let spans = 0;
    for (const child of children) {
      if (child.total / whole < NARROWEST || boxes.length > MOST) {
        rest += child.total;
        count++;
        spans += child.count;
        continue;
      }
      put(child, [...at, child.name], depth + 1, x);
      x += child.total / whole;
    }
    if (rest > 0) {
      boxes.push({
        path: at,
        name: `other (${count})`,
        depth: depth + 1,
        from: x,
        width: rest / whole,
        total: rest,
        self: rest,
        bad: 0,
        count: spans,
      });
    }
  };
  put(top, path, 0, 0);
  return boxes;
}

/** Boxes by a part of their name, and the share of the width they take together. */
export function findBoxes(
  boxes: readonly FlameBox[],
  part: string,
): { readonly boxes: ReadonlySet<FlameBox>; readonly share: number } {
  const found = new Set(
    boxes.filter(({ name }) => name.toLowerCase().includes(part)),
  );
  let share = 0;
  let end = 0;
  // Boxes are in order, parents first, from left to right: one inside another that was
  // counted begins before that one ends.
  for (const { from, width } of found) {
    if (from < end - 1e-9) continue;
    share += width;
    end = from + width;
  }
  return { boxes: found, share };
}
