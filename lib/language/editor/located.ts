import type { EditorDocument } from "./document.ts";
import type { TreeMap, TreeNode, TreePath, TreeScalar } from "./tree.ts";

/** What is written at an offset of a text. */
export type Located = {
  /** Of the key's mapping, or of the scalar. */
  readonly path: TreePath;
  /** Offsets in the file. */
  readonly start: number;
  readonly end: number;
  /** What is written at a path into the same part. */
  readonly nodeAt: (path: TreePath) => TreeNode | undefined;
} & ({ readonly key: string } | { readonly scalar: TreeScalar });

/** The key or scalar that has the character at `offset`, or ends there. */
export function locate(
  document: EditorDocument,
  offset: number,
): Located | undefined {
  const part = document.partAt(offset);
  const found = part.node &&
    find(part.node, part.path, offset - part.start);
  if (!found) return;
  const { start, end, ...rest } = found;
  return {
    ...rest,
    start: start + part.start,
    end: end + part.start,
    nodeAt: (path) => document.nodeIn(part, path),
  };
}

type Found =
  & Omit<Located, "nodeAt">
  & (
    | { readonly key: string }
    | { readonly scalar: TreeScalar }
  );

function find(
  node: TreeNode,
  path: TreePath,
  offset: number,
): Found | undefined {
  const { start, end } = node;
  if (node.kind === "scalar") {
    return start <= offset && offset <= end && start < end
      ? { path, scalar: node, start, end }
      : undefined;
  }
  if (node.kind === "map") return findInMap(node, path, offset);
  for (const [index, item] of node.items.entries()) {
    const found = find(item, [...path, index], offset);
    if (found) return found;
  }
}

function findInMap(
  { entries }: TreeMap,
  path: TreePath,
  offset: number,
): Found | undefined {
  for (const { key, keyRange: { start, end }, value } of entries) {
    if (start <= offset && offset <= end) return { path, key, start, end };
    const found = find(value, [...path, key], offset);
    if (found) return found;
  }
}
