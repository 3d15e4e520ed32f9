import { escapeControls } from "../../base/text/display.ts";

/** A table, its cells as they are. */
export function table(
  heads: readonly string[],
  rows: readonly string[][],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)]
    .join("\n");
}

/** Prose from a target or a flow: nothing in it is markup, a link or a mention. */
export function words(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\\`*[\]<>|~&]/g, (char) => `&#${char.charCodeAt(0)};`)
    .replaceAll("@", "@&#8203;");
}

/** A piece of code that may hold anything, in a table as well. */
export function code(text: string): string {
  return `<code>${words(text)}</code>`;
}
