import { join } from "node:path";
import { ROOT } from "../bench.ts";
import { pageText } from "./blocks.ts";

/** Every word that a page, or a part of one, has in backticks or in a block. */
export function codeWords(text: string): ReadonlySet<string> {
  const code = text.matchAll(/```[\s\S]*?```|`[^`\n]+`/g);
  return new Set(
    [...code].flatMap(([each]) => each.match(/p\d+\.\d|[\w-]+/g) ?? []),
  );
}

/** What a page says under a heading, up to the next one that is no deeper. */
export function section(page: string, heading: string): string {
  const lines = pageText(page).split("\n");
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`${page} has no heading \`${heading}\``);
  const depth = heading.indexOf(" ");
  const end = lines.findIndex((line, index) =>
    index > start && /^#+ /.test(line) && line.indexOf(" ") <= depth
  );
  return lines.slice(start, end < 0 ? undefined : end).join("\n");
}

/** The words in backticks of the first column of a section's tables. */
export function firstColumn(text: string): string[] {
  return [...text.matchAll(/^\| (`[^|]*`) \|/gm)]
    .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)])
    .map(([, word]) => word!);
}

/** Names of the members of every interface that a source file exports. */
export function members(file: string): string[] {
  const text = Deno.readTextFileSync(join(ROOT, file));
  return [...text.matchAll(/^export interface \w+[^{]*\{\n(.*?)^\}/gms)]
    .flatMap(([, body]) => [...body!.matchAll(/readonly (\w+)\??:/g)])
    .map(([, member]) => member!);
}

/** Every key of a JSON value, at any depth. */
export function* keysIn(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* keysIn(each);
  }
}
