import { STEP_LISTS } from "../flow/flow.ts";
import type { EditorDocument, ReadPart } from "./document.ts";
import type { FileLanguage } from "./file_language.ts";
import { nodeAt, textAt, type TreeEntry, type TreeNode } from "./tree.ts";

/** An entry of an outline; offsets in the file. */
export interface OutlineItem {
  readonly name: string;
  readonly detail: string;
  readonly kind: "key" | "step" | "variable";
  readonly start: number;
  readonly end: number;
  /** The part that is selected when it is jumped to. */
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly children: readonly OutlineItem[];
}

/** The outline of a file: its keys, a flow's steps, the variables they extract. */
export function outline(
  { parts }: EditorDocument,
  { kinds }: FileLanguage,
): OutlineItem[] {
  const items: OutlineItem[] = [];
  const actions = [...kinds.keys()];
  for (const part of parts) {
    const { node, step, start } = part;
    const steps = items.at(-1);
    if (step !== undefined && steps) {
      const child = node && stepItem(node, step, start, actions);
      if (!child) continue;
      const children = [...steps.children, child];
      items[items.length - 1] = { ...steps, end: child.end, children };
    } else if (node?.kind === "map") {
      items.push(...node.entries.map((each) => keyItem(each, part, actions)));
    }
  }
  return items;
}

function keyItem(
  entry: TreeEntry,
  { start }: ReadPart,
  actions: readonly string[],
): OutlineItem {
  const { key, value } = entry;
  const isList = STEP_LISTS.some((list) => list === key);
  const steps = isList && value.kind === "list" ? value.items : [];
  return {
    ...entryItem(entry, "key", start),
    children: key === "values" && value.kind === "map"
      ? value.entries.map((each) => entryItem(each, "variable", start))
      : steps.map((each, index) => stepItem(each, index, start, actions)),
  };
}

function stepItem(
  node: TreeNode,
  index: number,
  start: number,
  actions: readonly string[],
): OutlineItem {
  const id = nodeAt(node, ["id"]);
  const named = id && id.end > id.start ? id : { ...node, end: node.start };
  const extract = nodeAt(node, ["extract"]);
  return {
    name: textAt(node, ["id"]) ?? `step ${index + 1}`,
    detail: actionOf(node, actions),
    kind: "step",
    start: start + node.start,
    end: start + node.end,
    nameStart: start + named.start,
    nameEnd: start + named.end,
    children: extract?.kind === "map"
      ? extract.entries.map((each) => entryItem(each, "variable", start))
      : [],
  };
}

/** `GET /items`, or the kind where a mapping says the rest. */
function actionOf(node: TreeNode, actions: readonly string[]): string {
  const entries = node.kind === "map" ? node.entries : [];
  const entry = entries.find(({ key }) => actions.includes(key));
  if (!entry) return "";
  const { key, value } = entry;
  if (value.kind !== "scalar" || value.text === "") return key;
  return key === "call" ? value.text : `${key} ${value.text}`;
}

function entryItem(
  { key, keyRange, value }: TreeEntry,
  kind: OutlineItem["kind"],
  start: number,
): OutlineItem {
  return {
    name: key,
    detail: value.kind === "scalar" ? value.text : "",
    kind,
    start: start + keyRange.start,
    end: start + Math.max(keyRange.end, value.end),
    nameStart: start + keyRange.start,
    nameEnd: start + keyRange.end,
    children: [],
  };
}
