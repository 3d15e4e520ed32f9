import type { SourceLocation } from "../../base/text/location.ts";
import { conceal, literalParts, type Range } from "./conceal.ts";
import {
  credentialsOfUrl,
  namesCredential,
  parameterHoldsCredential,
  urlCredentials,
} from "./credentials.ts";
import type { Node } from "./node.ts";

/** Which literals of a file are credentials. */
export interface Hiding {
  /**
   * Whether one at `path` is; list items are `*` in a path.
   *
   * @param scalar its text, when it is a scalar
   */
  (path: readonly string[], scalar: string | undefined): boolean;
  /** The words of the language itself, in lower case: messages need them. */
  readonly words?: ReadonlySet<string>;
}

/** The keys of a body, a header or a URL under which people keep credentials. */
const likely = (path: readonly string[], scalar = "") => {
  const [place, name = ""] = path.slice(-2);
  return !path.includes("extract") && namesCredential(path.at(-1) ?? "") ||
    place === "query" && parameterHoldsCredential(name, scalar);
};

/** A piece of a credential that is looked for inside of other text. */
const GRAM = 8;
/** Shorter words are no credentials, and parts of every message. */
const SHORTEST = 3;
/** Values that are no one's secret. */
const PLAIN = new Set(["true", "false", "null"]);
/** A part of a value between its escapes, its quotes and white space. */
const WORD = /[^\s"'`\\]+/g;

/** The literal credentials of a file, of which no diagnostic shows any. */
export class Credentials {
  readonly #grams = new Set<string>();
  readonly #short = new Set<string>();
  /** The lines they are written on, as `file:line`. */
  readonly #lines = new Set<string>();
  readonly #words: ReadonlySet<string>;

  /** @param root the whole file */
  constructor(root: Node, hiding: Hiding) {
    this.#words = hiding.words ?? new Set();
    this.#walk(root, [], hiding, false);
  }

  #walk(
    node: Node,
    path: readonly string[],
    hiding: Hiding,
    around: boolean,
  ): void {
    const scalar = node.kind === "scalar" ? node.text : undefined;
    const hides = around || hiding(path, scalar) || likely(path, scalar);
    if (node.kind === "list") {
      for (const each of node.items) {
        this.#walk(each, [...path, "*"], hiding, hides);
      }
    } else if (node.kind === "map") {
      const entries = [...node.entries, ...node.dropped ?? []];
      for (const { key, keyAt, value } of entries) {
        if (hides && !this.#isWord(key)) this.#add(key, keyAt);
        this.#walk(value, [...path, key], hiding, hides);
        // `token:abc` is a key to YAML.
        const [glued, name] = /^([\w-]+)\s*:/.exec(key) ?? [];
        if (glued === undefined) continue;
        const rest = key.slice(glued.length);
        const below = [...path, name!];
        if (hiding(below, rest) || likely(below)) this.#add(rest, keyAt);
      }
    } else if (hides) {
      if (node.value !== null) this.#add(node.text, node.at);
    } else {
      for (const [from, to] of credentialsOfUrl(node.text)) {
        this.#add(node.text.slice(from, to), node.at);
      }
    }
  }

  #add(text: string, { file, range }: SourceLocation): void {
    for (const [from, to] of literalParts(text)) {
      const part = text.slice(from, to);
      if (range && part.trim() !== "") this.#lines.add(`${file}:${range.line}`);
      if (this.#isWord(text)) continue;
      for (const [word] of part.matchAll(WORD)) {
        if (word.length < GRAM && !PLAIN.has(word)) this.#short.add(word);
        for (let at = 0; at + GRAM <= word.length; at++) {
          this.#grams.add(word.slice(at, at + GRAM));
        }
      }
    }
  }

  /** A message that may quote them, with dots from where one begins to the end of the word. */
  message(text: string): string {
    const ranges: Range[] = urlCredentials(text);
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (this.#isWord(bare(word))) continue;
      const from = this.#isShort(word) ? 0 : this.#beginning(word);
      if (from >= 0) ranges.push([index + from, index + word.length]);
    }
    return conceal(text, ranges);
  }

  /** A word of the language that is written as a credential hides its line, and no message. */
  #isWord(text: string): boolean {
    return this.#words.has(text.trim().toLowerCase());
  }

  #isShort(word: string): boolean {
    const name = bare(word);
    return name.length >= SHORTEST && this.#short.has(name);
  }

  #beginning(word: string): number {
    for (let at = 0; at + GRAM <= word.length; at++) {
      if (this.#grams.has(word.slice(at, at + GRAM))) return at;
    }
    return -1;
  }

  /**
   * The text of `file` for frames: a line with one of them is empty. A short one, such
   * as `demo`, is part of many lines: it empties those alone on which it is written
   * as a credential.
   */
  frame(file: string, text: string): string {
    return text.split("\n").map((line, index) =>
      this.#lines.has(`${file}:${index + 1}`) || this.#holdsOne(line)
        ? ""
        : line
    ).join("\n");
  }

  #holdsOne(line: string): boolean {
    return urlCredentials(line).length > 0 ||
      [...line.matchAll(WORD)].some(([word]) => this.#beginning(word) >= 0);
  }
}

/** A word without the signs of a sentence. */
function bare(word: string): string {
  return word.replace(/[.,:;]+$/, "");
}

/** The name of a credential, where a value may follow. */
const CREDENTIAL =
  /(?:auth|bearer|basic|key|cookie|hmac|token|jwt|pass|pwd|secret|credential)[\w-]*["']?\s*[:=("']/i;

/** A line that begins with a key, or with an item. */
const KEY = /^[\s-]*["']?[\w-]+["']?\s*:|^\s*- /;

/**
 * A text that could not be read, as it may be shown: without the lines that have
 * something that is called a credential, what is below them, and where they go on.
 *
 * @param as what is shown of such a line
 */
export function withoutCredentialLines(
  text: string,
  as: (line: string) => string = () => "",
): string {
  let above = Infinity;
  let hides = false;
  return text.split("\n").map((line) => {
    const column = line.search(/[^\s-]/);
    if (column < 0) return line;
    const continues = column > above || (hides && !KEY.test(line));
    const names = CREDENTIAL.test(line) || urlCredentials(line).length > 0;
    if (!continues) above = names ? column : Infinity;
    hides = continues || names;
    return hides ? as(line) : line;
  }).join("\n");
}

/** A literal in a program: in quotes, or a long number. */
const LITERAL = /["']|\b\d{4,}\b/;
const QUOTED_TEMPLATE = /(["'])\{\{[^{}]*\}\}\1/g;

/** The text of a program that writes a flow, without the lines that name a credential and hold a literal. */
export function codeFrame(text: string): string {
  return text.split("\n").map((line) =>
    CREDENTIAL.test(line) && LITERAL.test(line.replaceAll(QUOTED_TEMPLATE, ""))
      ? ""
      : line
  ).join("\n");
}

/** A message that may quote URLs, without the credentials in them. */
export function shownMessage(message: string): string {
  return conceal(message, urlCredentials(message));
}
