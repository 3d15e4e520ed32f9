import { type FlameNode, selfTime } from "./flame_tree.ts";

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
    for (const child of children) {
      if (child.total / whole < NARROWEST || boxes.length > MOST) {
        rest += child.total;
        count++;
        continue;
      }
      put(child, [...at, child.name], depth + 1, x);
      x += child.total / whole;
    }
    if (rest / whole >= NARROWEST) {
      boxes.push({
        path: at,
        name: `other (${count})`,
        depth: depth + 1,
        from: x,
        width: rest / whole,
        total: rest,
        self: rest,
        bad: 0,
        count,
      });
    }
  };
  put(top, path, 0, 0);
  return boxes;
}
