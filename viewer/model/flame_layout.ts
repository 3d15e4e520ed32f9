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
  // Boxes stand parents first, from left to right: one inside another that was
  // counted begins before that one ends.
  for (const { from, width } of found) {
    if (from < end - 1e-9) continue;
    share += width;
    end = from + width;
  }
  return { boxes: found, share };
}
