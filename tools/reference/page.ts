/** The writers of reference tables, by name. */
export type Tables = Readonly<Record<string, () => string>>;

const TABLE = /^<!-- table: (.+) -->\n[\s\S]*?^<!-- end -->$/gm;

/**
 * A page with each of its tables as the program says it: what is between
 * `<!-- table: name -->` and `<!-- end -->` is written anew.
 *
 * @throws {Error} for a name that no table has
 */
export function withTables(page: string, tables: Tables): string {
  return page.replaceAll(TABLE, (_, name: string) => {
    const table = tables[name];
    if (!table) throw new Error(`There is no table \`${name}\``);
    return `<!-- table: ${name} -->\n\n${table()}\n<!-- end -->`;
  });
}

/** A table of Markdown; a bar in a cell is escaped. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((each) => each.replaceAll("|", "\\|")).join(" | ")} |\n`
      .replaceAll("|  |", "| |");
  return line(head) + `|${"---|".repeat(head.length)}\n` +
    rows.map(line).join("");
}

/** A line for a person as a sentence; what it begins with may be a word of its own. */
export function sentence(text: string): string {
  const end = /[.!?]$/.test(text) ? "" : ".";
  if (/^(?:gRPC|\w+\.\w|\w+(?:, \w+)*:)/.test(text)) return text + end;
  return text.charAt(0).toUpperCase() + text.slice(1) + end;
}

/** `a`, `b` or `c`. */
function choices(words: readonly string[]): string {
  const quoted = words.map((each) => `\`${each}\``);
  return [quoted.slice(0, -1).join(", "), quoted.at(-1)].filter((each) => each)
    .join(" or ");
}

/** Flags and templates that a text names, as code, where they are none yet. */
function coded(text: string): string {
  return text.replaceAll(
    /`[^`]*`|(?<![\w-])(?:--[a-z][\w-]*|\{\{[^}]*\}\})/g,
    (each) => each.startsWith("`") ? each : `\`${each}\``,
  );
}

/**
 * The text about an option or a key in its row.
 *
 * @param words those that it takes
 * @param more sentences of its own
 */
export function meaning(
  { text, words, more = "", fallback }: {
    readonly text: string;
    readonly words?: readonly string[] | undefined;
    readonly more?: string | undefined;
    readonly fallback?: string | undefined;
  },
): string {
  return [
    sentence(coded(text)),
    words ? sentence(choices(words)) : "",
    more,
    fallback === undefined ? "" : `Default \`${fallback}\`.`,
  ].filter((each) => each !== "").join(" ");
}
