import { equal } from "node:assert/strict";

const GOLDEN = new URL("../../golden/pages/", import.meta.url);

/**
 * Compares what a page says with `tests/golden/pages/<name>.txt`, which a person
 * can review: `-- --update` writes it anew.
 */
export function equalsGolden(name: string, page: string): void {
  const words = wordsOf(page);
  const file = new URL(`${name}.txt`, GOLDEN);
  if (Deno.args.includes("--update")) {
    Deno.mkdirSync(GOLDEN, { recursive: true });
    Deno.writeTextFileSync(file, words);
  }
  equal(words, Deno.readTextFileSync(file));
}

const ENTITIES: Record<string, string> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  "#39": "'",
};

/** The words of a page: no tags, no charts' data, one line a block. */
function wordsOf(page: string): string {
  return page.replace(/[\s\S]*<main[^>]*>/, "").replace(/<\/main>[\s\S]*/, "")
    .replaceAll(/<template[\s\S]*?<\/template>/g, "")
    .replaceAll(/<title>[\s\S]*?<\/title>/g, "")
    .replaceAll(
      /<\/(?:p|tr|h\d|li|section|dl|div|figure|form|nav|pre|summary)>/g,
      "\n",
    )
    .replaceAll(/<\/(?:td|th|dt|dd|span|option|a|label|button|text)>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, (_, name) => ENTITIES[name]!)
    .split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => line !== "").join("\n") + "\n";
}
