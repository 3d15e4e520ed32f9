import flowPage from "../../../docs/flow-file.md" with { type: "text" };
import targetPage from "../../../docs/target-file.md" with { type: "text" };
import type { Form } from "./forms.ts";
import type { TreePath } from "./tree.ts";

/** What a page of the documentation says of keys and words. */
export class Reference {
  /** Its sections by their headings. */
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #first: Section;

  constructor(page: string) {
    const sections = page.split(/^#{1,3} /m).slice(1).map(readSection);
    this.#sections = new Map(sections.map((each) => [each.heading, each]));
    this.#first = sections.find(({ rows }) => rows.size > 0)!;
  }

  /**
   * What the tables say of `word`: in the section of the innermost of `around`
   * that has one, or in the page's first table.
   */
  meaning(word: string, around: TreePath): string | undefined {
    for (const name of around.toReversed()) {
      const section = this.#sections.get(String(name).toLowerCase());
      const found = section?.rows.get(word);
      if (found !== undefined) return found;
    }
    return this.#first.rows.get(word);
  }

  /** What is known of a key, as Markdown. */
  ofKey(key: string, form: Form): string {
    const { description, enum: words } = form;
    const about = description === undefined ? "" : `: ${description}`;
    const listed = (words as string[] | undefined)
      ?.map((each) => `\`${each}\``).join(", ");
    return [
      `**${key}**${about}`,
      listed && `One of ${listed}.`,
      this.#sections.get(key)?.example,
    ].filter((each) => each !== undefined).join("\n\n");
  }
}

interface Section {
  /** In lower case, without backticks. */
  readonly heading: string;
  /** The last column of its tables, by each code word of the first. */
  readonly rows: ReadonlyMap<string, string>;
  /** Its first block of YAML, fences included. */
  readonly example: string | undefined;
}

function readSection(text: string): Section {
  const [heading = ""] = text.split("\n", 1);
  const rows = new Map<string, string>();
  for (const [line] of text.matchAll(/^\|.*\|$/gm)) {
    const cells = line.slice(1, -1).split("|").map((each) => each.trim());
    const meaning = cells.at(-1)!;
    if (cells.length < 2 || meaning === "") continue;
    for (const [, word] of cells[0]!.matchAll(/`([^`]+)`/g)) {
      rows.set(word!, withoutLinks(meaning));
    }
  }
  return {
    heading: heading.replaceAll("`", "").toLowerCase(),
    rows,
    example: /^```yaml\n[\s\S]*?\n```$/m.exec(text)?.[0],
  };
}

/** Links lead to pages beside the page, which an editor does not have. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1");
}

/** What the documentation says of flow files. */
export const flowReference: Reference = new Reference(flowPage);
/** What the documentation says of target files. */
export const targetReference: Reference = new Reference(targetPage);
