import { codeFrame, conceal, literalParts, type Range } from "./conceal.ts";
import { hiddenIn, type Hiding } from "./hidden.ts";
import {
  credentialsOfUrl,
  namesCredential,
  urlCredentials,
} from "./credentials.ts";

/** What may be read of a flow or target file by people who see its diagnostics. */
interface ShownText {
  /** The file's text for frames: of the same shape, with dots for what looks like a credential. */
  readonly frame: string;
  /** A message about the file, which may quote it, with dots for the same. */
  message(text: string): string;
}

/** What a body, a header or a URL may say, but a log should not. */
export const likely: Hiding = {
  at: (path) => !path.includes("extract") && namesCredential(path.at(-1) ?? ""),
  key: namesCredential,
  inside: credentialsOfUrl,
};

/** Most files have no such key and no such parameter, and are not read again. */
const LIKELY =
  /(?:token|jwt|password|passwd|passphrase|secret|key|authorization|cookie|credentials?)["']?\s*[:"']|[?&][\w.~%[\]-]+=/i;

/**
 * Literals that look like credentials may be legal in a flow, but a person who reads
 * about an error beside them has no business with them.
 */
export function shownText(text: string): ShownText {
  const ranges = LIKELY.test(text) ? hiddenIn(text, likely) : [];
  let words: Words | undefined;
  return {
    frame: conceal(text, [...ranges, ...urlCredentials(text)]),
    message: (said) =>
      conceal(said, [
        ...urlCredentials(said),
        ...wordRanges(said, words ??= wordsIn(text, ranges)),
      ]),
  };
}

/**
 * The same of a program that wrote a flow.
 *
 * @param words what it wrote that looks like credentials
 */
export function shownCode(
  text: string,
  words: ReadonlySet<string>,
): ShownText {
  const known = byBeginning(words);
  const message = (said: string) =>
    conceal(said, [...urlCredentials(said), ...wordRanges(said, known)]);
  return { frame: message(codeFrame(text)), message };
}

/** A message that may quote URLs, without the credentials in them. */
export function shownMessage(message: string): string {
  return conceal(message, urlCredentials(message));
}

/** Shorter words are no credentials, and parts of every message. */
const SHORTEST = 3;

/** Values that are no one's secret. */
const PLAIN = new Set(["true", "false", "null"]);

/** Words by how they begin. */
type Words = ReadonlyMap<string, readonly string[]>;

/** What is in the ranges: as it is written, as it is read, and as a message quotes it. */
function wordsIn(text: string, ranges: readonly Range[]): Words {
  const words = new Set<string>();
  for (const [from, to] of ranges) {
    for (const [start, end] of literalParts(text.slice(from, to))) {
      for (const line of text.slice(from + start, from + end).split(/\r?\n/)) {
        const read = unescaped(line.trim());
        words.add(line.trim()).add(read)
          .add(JSON.stringify(read).slice(1, -1));
      }
    }
  }
  return byBeginning(words);
}

function byBeginning(words: ReadonlySet<string>): Words {
  const found = [...words].filter((word) =>
    word.length >= SHORTEST && !PLAIN.has(word)
  );
  return Map.groupBy(found, (word) => word.slice(0, SHORTEST));
}

function unescaped(word: string): string {
  if (!word.includes("\\")) return word.replaceAll("''", "'");
  try {
    return JSON.parse(`"${word}"`);
  } catch {
    return word;
  }
}

/** From so many characters on a word is looked for inside of others. */
const LONG = 6;
const LETTER = /[\p{L}\p{N}_]/u;
const NUMBER = /^-?\d[\d.eE+-]*$/;
/** What ends a part of a word that a message quotes. */
const QUOTED_TO = new Set(['"', "`", "…"]);

/** A text of one character over and over would be its own word at each of them. */
const LONGEST_OVERLAP = 256;

function wordRanges(message: string, words: Words): Range[] {
  const found: Range[] = [];
  for (let at = 0; at + SHORTEST <= message.length; at++) {
    let longest = 0;
    for (const word of words.get(message.slice(at, at + SHORTEST)) ?? []) {
      const length = hiddenLength(word, message, at);
      if (length > 0) found.push([at, at + length]);
      longest = Math.max(longest, length);
    }
    // What begins inside a long word and goes beyond it begins near its end.
    at += Math.max(0, longest - LONGEST_OVERLAP);
  }
  return found;
}

/** How much of the message is the word that begins there, or what a message makes of it. */
function hiddenLength(word: string, message: string, at: number): number {
  const before = message[at - 1] ?? "";
  // A message may say a number as it would be rounded.
  if (NUMBER.test(word)) {
    const [number] = /^-?[\d.eE+-]*/.exec(message.slice(at))!;
    return LETTER.test(before) ? 0 : number.length;
  }
  let length = SHORTEST;
  while (length < word.length && message[at + length] === word[length]) {
    length++;
  }
  const after = message[at + length] ?? "";
  if (QUOTED_TO.has(after)) return length;
  if (length < word.length) return 0;
  return length >= LONG || !LETTER.test(before + after) ? length : 0;
}
