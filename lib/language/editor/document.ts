import { STEP_LISTS, type StepList } from "../flow/flow.ts";
import {
  nodeAt,
  readTree,
  textAt,
  type Tree,
  type TreeNode,
  type TreePath,
} from "./tree.ts";

/**
 * A part of a file that is read by itself: a top-level key with what is below
 * it, or one step. A half-written line breaks its own part and no other, and a
 * change makes one part new.
 */
interface Part {
  /** Offset in the file. */
  readonly start: number;
  readonly text: string;
  /** Index of the step, in its list; both absent for a top-level key. */
  readonly step?: number;
  readonly list?: StepList;
}

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
        : { ...part, path: [part.list!, part.step], node: itemOf(root) };
    });
  }

  /** The version that the file says it is. */
  get version(): number {
    return Number(this.textAt(["version"]) ?? 0);
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

  /** Paths of the fixtures by pool; that of `data` is called `user`. */
  get fixtures(): ReadonlyMap<string, string> {
    const data = this.textAt(["data"]);
    const pools = this.valueAt(["pools"])?.node;
    const named = pools?.kind === "map" ? pools.entries : [];
    return new Map([
      ...data === undefined ? [] : [["user", data] as const],
      ...named.flatMap(({ key, value }) => {
        const path = textAt(value, ["path"]);
        return path === undefined ? [] : [[key, path] as const];
      }),
    ]);
  }

  /** The path of a flow of a mix, when its value has the character at `offset`. */
  flowAt(offset: number): string | undefined {
    const flows = this.valueAt(["flows"]);
    if (flows?.node.kind !== "list") return undefined;
    const at = offset - flows.start;
    const item = flows.node.items.find((each) => {
      const path = nodeAt(each, ["flow"]);
      return path && path.start <= at && at <= path.end;
    });
    return item && textAt(item, ["flow"]);
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

/** A text as parts, one after the other; together they are the text. */
function partsOf(text: string): Part[] {
  const starts = boundaries(text);
  let step = 0;
  return starts.map(({ start, list }, index) => {
    if (!list) step = 0;
    return {
      start,
      text: text.slice(start, starts[index + 1]?.start),
      ...(list && { list, step: step++ }),
    };
  });
}

interface Boundary {
  readonly start: number;
  /** The list that an item begins here of. */
  readonly list: StepList | undefined;
}

const LIST = new RegExp(`^(["']?)(${STEP_LISTS.join("|")})\\1\\s*:\\s*(?:#|$)`);

function boundaries(text: string): Boundary[] {
  const found: Boundary[] = [];
  let list: StepList | undefined;
  /** The indentation before the `-` of the first step, and of all the others. */
  let indent: string | undefined;
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const dash = list ? /^( *)-(?:\s|$)/.exec(line)?.[1] : undefined;
    const item = dash !== undefined && dash === (indent ??= dash);
    // A bracket at the left edge closes what was opened above.
    if (!item && !/^[^\s\]}-]|^---/.test(line)) continue;
    if (!item) {
      list = LIST.exec(line)?.[2] as StepList | undefined;
      indent = undefined;
    }
    // What comes before the first key belongs to it.
    const start = found.length === 0 ? 0 : index;
    found.push({ start, list: item ? list : undefined });
  }
  return found.length === 0 ? [{ start: 0, list: undefined }] : found;
}
