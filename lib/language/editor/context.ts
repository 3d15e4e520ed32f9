import { Lexer } from "yaml";
import type { EditorDocument, ReadPart } from "./document.ts";
import {
  findIn,
  type Found,
  mapWith,
  nodeAt,
  readTree,
  type TreeMap,
  type TreeNode,
  type TreePath,
} from "./tree.ts";

/** The part of a file that is being written at an offset. */
export interface EditorContext {
  /** The mapping a key is written in, or the value that is written. */
  readonly path: TreePath;
  readonly position: "key" | "value";
  /** The mapping around it, without a key that is being written. */
  readonly siblings: TreeMap | undefined;
  /** The value at a path into the same part. */
  readonly nodeAt: (path: TreePath) => TreeNode | undefined;
  /**
   * The line has nothing else on it, so that what is written may as well become
   * the value at `path`.
   */
  readonly alone: boolean;
  /** The text of the value up to the offset, as it is there: `"{{ en`. */
  readonly typed: string;
  /** Where that begins in the file. */
  readonly start: number;
  /** The quote it is in. */
  readonly quote: '"' | "'" | "";
  /** Inside `{ }` or `[ ]`. */
  readonly inline: boolean;
  /** In the lines of a block scalar. */
  readonly block: boolean;
}

/** A character that no file has. */
const CURSOR = "\uE000";

/**
 * The context at `offset`: the line up to it is made whole, however it
 * stops, and its part is read with that line in it. Undefined in comments.
 */
export function contextAt(
  document: EditorDocument,
  offset: number,
): EditorContext | undefined {
  const { text } = document;
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const part = document.partAt(offset);
  if (part.start < lineStart && text.slice(lineStart, offset).trim() === "") {
    const indent = offset - lineStart;
    if (indent === 0) return newKey(offset, [], otherKeys(document));
    if (part.list && indent <= dashIndent(part)) {
      return newKey(offset, [part.list]);
    }
  }
  const state = stateAfter(text.slice(part.start, offset));
  const found = state && attempt(document, part, offset, state);
  if (!found) return;
  const { path, node, key, map, root } = found;
  const start = part.start + found.start + state.quote.length;
  const entries = map?.entries.filter((each) => each.key !== key);
  const own = map && { ...map, entries: entries! };
  const siblings = key !== undefined && path.length === 0
    ? otherKeys(document, own)
    : own;
  return {
    path: part.step === undefined ? path : [...part.path, ...path.slice(1)],
    position: key === undefined ? "value" : "key",
    siblings,
    // A step is read as a list of one.
    nodeAt: (at) =>
      part.step === undefined
        ? nodeAt(root, at)
        : at.length < 2
        ? undefined
        : nodeAt(root, [0, ...at.slice(2)]),
    alone: state.alone && (key === undefined || entries?.length === 0),
    typed: text.slice(start, offset),
    start,
    quote: state.quote,
    inline: state.open !== "",
    block: node.kind === "scalar" && node.block === true,
  };
}

/** Columns before the `-` of a step. */
function dashIndent({ step, text }: ReadPart): number {
  return step === undefined ? 0 : text.indexOf("-");
}

/** On an empty line left of the part above it. */
function newKey(
  offset: number,
  path: TreePath,
  siblings?: TreeMap,
): EditorContext {
  const nothing = {
    typed: "",
    quote: "",
    inline: false,
    block: false,
  } as const;
  const alone = path.length > 0;
  const nodeAt = () => undefined;
  const at = { path, position: "key", start: offset } as const;
  return { ...at, siblings, nodeAt, alone, ...nothing };
}

/** The top-level keys, which are parts of their own. */
function otherKeys(document: EditorDocument, own?: TreeMap): TreeMap {
  return mapWith(document.keys, own?.entries);
}

/** How a text stops. */
interface State {
  readonly quote: '"' | "'" | "";
  /** Brackets to close, the innermost first. */
  readonly open: string;
  /** The last line holds no `key: ` yet: it may be a key or a value. */
  readonly alone: boolean;
}

/** Undefined in a comment. */
function stateAfter(text: string): State | undefined {
  const tokens = [...new Lexer().lex(text)];
  const last = tokens.at(-1) ?? "";
  if (last.startsWith("#") && tokens.at(-2) !== SCALAR) return;
  let open = "";
  let alone = true;
  for (const [at, token] of tokens.entries()) {
    if (tokens[at - 1] === SCALAR) continue;
    if (token === "{") open = "}" + open;
    else if (token === "[") open = "]" + open;
    else if (token === "}" || token === "]") open = open.slice(1);
    else if (token === "\n") alone = true;
    else if (token === ":") alone = false;
  }
  const quoted = /^["']/.exec(last)?.[0] as '"' | "'" | undefined;
  const quote = quoted && !isClosed(last) ? quoted : "";
  return { quote, open, alone: alone && open === "" };
}

/** The mark that the library's lexer puts before the text of a scalar without quotes. */
const SCALAR = "\u001f";

function isClosed(scalar: string): boolean {
  return scalar[0] === '"'
    ? /^"(?:[^"\\]|\\[\s\S])*"$/.test(scalar)
    : /^'(?:[^']|'')*'$/.test(scalar);
}

/** Reads the part with the cursor in it, in the way that leaves the fewest errors. */
function attempt(
  { text }: EditorDocument,
  part: ReadPart,
  offset: number,
  state: State,
): Attempt | undefined {
  const before = text.slice(part.start, offset);
  const [rest] = /^[^\r\n]*/.exec(text.slice(offset))!;
  const after = text.slice(
    offset + rest.length,
    part.start + part.text.length,
  );
  let best: Attempt | undefined;
  for (const ending of endings(state, rest)) {
    const found = read(before + CURSOR + ending + after);
    if (found && (!best || found.errors < best.errors)) best = found;
    if (best?.errors === 0) break;
  }
  return best;
}

/** How the line may go on after the cursor, the likeliest first. */
function endings({ quote, open, alone }: State, rest: string): string[] {
  if (alone && quote === "") return [`${rest}:`, rest, ":"];
  const closed = quote + open;
  return rest.trim() === "" ? [closed] : [rest, closed];
}

interface Attempt extends Found {
  readonly root: TreeNode;
  readonly errors: number;
}

function read(text: string): Attempt | undefined {
  const { root, errors } = readTree(text);
  const found = root && findIn(root, (each) => each.includes(CURSOR));
  return found && { ...found, root, errors };
}
