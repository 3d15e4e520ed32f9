import {
  Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  Scalar,
  visit,
  YAMLMap,
} from "yaml";
import type { Draft } from "./draft.ts";
import type { JsonObject } from "../../../lib/base/values/json.ts";
import { comments, flowDocument } from "./flow_document.ts";

/** Columns that a mapping on one line may take. */
const ONE_LINE = 68;
const FORMAT = { lineWidth: 0, flowCollectionPadding: true } as const;

/** A flow file with comments, as a person would write it. */
export function flowYaml(draft: Draft): string {
  const { origin, notes } = draft;
  const above = comments([
    `Made by \`bench import ${origin}\`.`,
    ...notes.length > 0 ? ["", "What to know:"] : [],
    ...notes.map((each) => `- ${each}`),
  ]);
  const lines = yamlText(flowDocument(draft), (top) => layOut(top, draft));
  return `${above}\n${lines}`;
}

/** Data as YAML, whatever characters are in its texts. */
export function yamlText(
  value: JsonObject,
  layOut: (top: YAMLMap<Scalar, Node>) => void = () => {},
): string {
  const document = new Document(value, FORMAT_OF_NODES);
  visit(document, { Scalar: (key, node) => chooseStyle(node, key === "key") });
  layOut(document.contents as unknown as YAMLMap<Scalar, Node>);
  // What is to be escaped is in double quotes alone.
  return document.toString(FORMAT).replaceAll(
    UNSHOWN,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Controls but for line breaks, and what changes how a line reads. */
const UNSHOWN =
  // deno-lint-ignore no-control-regex
  /[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]/gu;

/** Equal parts are written out: aliases are not used in flows. */
const FORMAT_OF_NODES = { aliasDuplicateObjects: false } as const;

/** Long texts with line breaks are blocks; templates are in double quotes. */
function chooseStyle(node: Scalar, isKey: boolean): void {
  const { value } = node;
  if (typeof value !== "string") return;
  if (value.search(UNSHOWN) >= 0 || value.includes("\r")) {
    node.type = Scalar.QUOTE_DOUBLE;
  } else if (value.includes("\n")) {
    node.type = isKey || /^\s/.test(value)
      ? Scalar.QUOTE_DOUBLE
      : Scalar.BLOCK_LITERAL;
  }
}

function layOut(top: YAMLMap<Scalar, Node>, draft: Draft): void {
  for (const { key, value } of top.items.slice(1)) {
    key.spaceBefore = true;
    if (key.value === "auth") onOneLine(value);
  }
  const steps = top.get("steps");
  if (!isSeq(steps)) return;
  steps.items.forEach((step, index) => {
    if (!isMap(step)) return;
    step.spaceBefore = index > 0;
    const { lost, comments: own } = draft.steps[index]!;
    const above = comments([...lost, ...own]);
    if (above !== "") step.commentBefore = above.replaceAll(/^#|\n$/gm, "");
    for (const pair of step.items) {
      if (!(pair instanceof Pair) || !isScalar(pair.key)) continue;
      if (["auth", "query"].includes(String(pair.key.value))) {
        onOneLine(pair.value as Node);
      }
      if (pair.key.value === "multipart") {
        visit(pair.value as Node, {
          Map: (key, node) => key === null ? undefined : onOneLine(node),
        });
      }
    }
  });
}

/** A short mapping needs no lines of its own. */
function onOneLine(node: Node | null): void {
  if (!(node instanceof YAMLMap)) return;
  if (node.items.some(({ value }) => !isScalar(value))) return;
  const text = JSON.stringify(node.toJSON());
  if (text.length <= ONE_LINE + 2 * node.items.length) node.flow = true;
}
