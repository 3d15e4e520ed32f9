import { join } from "node:path";
import { ROOT } from "../bench.ts";

/** What a page may say about a block, in comments on the lines above it. */
const WORDS = ["file", "run", "shows", "resembles", "ends"] as const;
/** What a page says about a table, to `deno task docs`. */
const TABLE = /^<!-- (?:table: .+|end) -->$/;
type Word = (typeof WORDS)[number];

/** One fenced block of a page. */
export interface Block {
  /** Path from the root of the checkout. */
  readonly page: string;
  /** 1-based line of its first line of text. */
  readonly line: number;
  /** The word behind the fence; empty when there is none. */
  readonly language: string;
  /** Ends with a line end. */
  readonly text: string;
  /** docs/decisions/024-docs-are-run.md says what each word means. */
  readonly notes: Readonly<Partial<Record<Word, string>>>;
}

/** The pages whose blocks are run. */
export const PAGES: readonly string[] = [
  "README.md",
  ...[...Deno.readDirSync(join(ROOT, "docs"))]
    .filter(({ name }) => name.endsWith(".md"))
    .map(({ name }) => `docs/${name}`).sort(),
  "examples/README.md",
  "sdk/README.md",
];

/** The text of a page. */
export function pageText(page: string): string {
  return Deno.readTextFileSync(join(ROOT, page));
}

/**
 * The blocks of a page, from top to bottom.
 *
 * @throws {Error} for an indented block, a fence that does not end, and a
 *   comment above a fence that is none of the known words
 */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let notes: Record<string, string> = {};
  let open: { line: number; language: string; lines: string[] } | undefined;
  pageText(page).split("\n").forEach((line, index) => {
    const at = `${page}:${index + 1}`;
    const fence = /^(\s*)```(.*)$/.exec(line);
    if (fence?.[1]) throw new Error(`${at}: a fence begins in column 1`);
    if (fence && open) {
      const { lines, ...rest } = open;
      const body = lines.map((each) => `${each}\n`).join("");
      blocks.push({ page, ...rest, text: body, notes });
      [open, notes] = [undefined, {}];
    } else if (fence) {
      open = { line: index + 2, language: fence[2]!.trim(), lines: [] };
    } else if (open) {
      open.lines.push(line);
    } else if (/^ {4}/.test(line)) {
      throw new Error(`${at}: indented code is not run: use a fence`);
    } else {
      notes = { ...(line.startsWith("<!--") && notes), ...noteOf(line, at) };
    }
  });
  if (open) throw new Error(`${page}: the last fence does not end`);
  return blocks;
}

/** `<!-- word: value -->`, or `<!-- word -->`. */
function noteOf(line: string, at: string): Record<string, string> {
  if (!line.startsWith("<!--") || TABLE.test(line)) return {};
  const [, word, value = ""] =
    /^<!-- (\w+)(?:: (.+))? -->$/.exec(line.trim()) ?? [];
  if (!WORDS.some((each) => each === word)) {
    throw new Error(`${at}: \`${line}\` is none of ${WORDS.join(", ")}`);
  }
  return { [word!]: value };
}
