import { type Part, partsOf } from "./parts.ts";
import {
  nodeAt,
  readTree,
  textAt,
  type Tree,
  type TreeNode,
  type TreePath,
} from "./tree.ts";

/** A part with what it says. */
export interface ReadPart extends Part {
  /** Where its value is in the file: `[]`, or `["steps", 2]`. */
  readonly path: TreePath;
  /** A mapping of one top-level key, or a step; offsets count from the part's start. */
  readonly node: TreeNode | undefined;
}

/** One version of a file that is being written. */
export class EditorDocument {
  readonly parts: readonly ReadPart[];
  readonly #trees: ReadonlyMap<string, Tree>;

  /** @param before an earlier version: only what has changed is read */
  constructor(readonly text: string, before?: EditorDocument) {
    const parts = partsOf(text);
    this.#trees = new Map(
      parts.map((part) => [
        part.text,
        (before && before.#trees.get(part.text)) ?? readTree(part.text),
      ]),
    );
    this.parts = parts.map((part) => {
      const { root } = this.#trees.get(part.text)!;
      return part.step === undefined
        ? { ...part, path: [], node: root }
        : { ...part, path: ["steps", part.step], node: itemOf(root) };
    });
  }

  /** The part that has the character at `offset`. */
  partAt(offset: number): ReadPart {
    return this.parts.findLast(({ start }) => start <= offset)!;
  }

  /** The text of the scalar at `path`, wherever its part is. */
  textAt(path: TreePath): string | undefined {
    const part = this.#partOf(path);
    return part && textAt(part.node, path.slice(part.path.length));
  }

  /** The value at `path`; its offsets count from `start`. */
  valueAt(path: TreePath): { node: TreeNode; start: number } | undefined {
    const part = this.#partOf(path);
    const node = part && nodeAt(part.node, path.slice(part.path.length));
    return node && { node, start: part.start };
  }

  /** The value at `path`, which is one of `part`; offsets count from its start. */
  nodeIn(part: ReadPart, path: TreePath): TreeNode | undefined {
    const { length } = part.path;
    return path.length < length
      ? undefined
      : nodeAt(part.node, path.slice(length));
  }

  /** The top-level keys there are. */
  get keys(): string[] {
    return this.parts.flatMap(({ path, node }) =>
      path.length === 0 && node?.kind === "map"
        ? node.entries.map(({ key }) => key)
        : []
    );
  }

  #partOf(path: TreePath): ReadPart | undefined {
    return this.parts.find(({ path: own, node }) =>
      own.length > 0
        ? own.every((each, index) => each === path[index])
        : nodeAt(node, path) !== undefined
    );
  }
}

/** A step is read as a list of one. */
function itemOf(root: TreeNode | undefined): TreeNode | undefined {
  return root?.kind === "list" ? root.items[0] : undefined;
}
