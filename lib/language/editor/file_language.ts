import flowPage from "../../../docs/flow-file.md" with { type: "text" };
import targetPage from "../../../docs/target-file.md" with { type: "text" };
import type { JsonObject } from "../../base/values/json.ts";
import { ASSERTION_PATTERN } from "../expressions/assertion_ir.ts";
import { THRESHOLD_PATTERN } from "../expressions/threshold.ts";
import type { Form } from "../fields/field.ts";
import { formOf } from "../fields/form.ts";
import { authForm } from "../flow/auth.ts";
import { flowFields } from "../flow/flow.ts";
import { mixFields } from "../flow/mix.ts";
import { stepsForm } from "../flow/step.ts";
import type { Kinds, Registry } from "../flow/registry.ts";
import { target } from "../flow/target.ts";
import { Forms, type PlainForm } from "./forms.ts";
import { NameIndex } from "./names.ts";
import type { TreePath } from "./tree.ts";

/** The texts of a documentation page about keys and words. */
class Reference {
  /** Its sections by their headings. */
  readonly #sections: ReadonlyMap<string, Section>;
  readonly #first: Section;

  constructor(page: string) {
    const sections = page.split(/^#{1,3} /m).slice(1).map(readSection);
    this.#sections = new Map(sections.map((each) => [each.heading, each]));
    this.#first = sections.find(({ rows }) => rows.size > 0)!;
  }

  /**
   * The text of the tables about `word`: in the section of the innermost of `around`
   * that has one, or in the page's first table.
   */
  meaning(word: string, around: TreePath): string | undefined {
    const listed = inTables(word);
    for (const name of around.toReversed()) {
      const section = this.#sections.get(String(name).toLowerCase());
      const found = section?.rows.get(listed);
      if (found !== undefined) return found;
    }
    return this.#first.rows.get(listed);
  }

  /** The documentation of a key, as Markdown. */
  ofKey(key: string, form: PlainForm): string {
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

/** A word as the tables have it: of the percentiles there are the first and the last. */
function inTables(word: string): string {
  return word.replace(/^p\d+(?=\(latency\)$)/, "p100");
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

/** The documentation of flow files. */
const flowReference: Reference = new Reference(flowPage);
/** The documentation of target files. */
const targetReference: Reference = new Reference(targetPage);

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Any JSON value; its keys hold no templates. */
const PAYLOAD: Form = {
  type: ["null", "boolean", "number", "string", "array", "object"],
  items: { $ref: "#/$defs/payload" },
  propertyNames: { not: { pattern: "\\{\\{|^\\{ .* \\}$" } },
  additionalProperties: { $ref: "#/$defs/payload" },
};

/** The JSON Schema of one flow, from the tables the reader reads it by. */
export function flowSchema(registry: Registry): JsonObject {
  return {
    $schema: DIALECT,
    title: "bench flow",
    description: "A scripted flow of requests, run by bench",
    ...formOf(flowFields(registry)),
    $defs: {
      payload: PAYLOAD,
      assertion: {
        description: "<subject> <operator> <value>, such as status == 200",
        type: "string",
        pattern: ASSERTION_PATTERN,
      },
      threshold: {
        description: "<measure> <operator> <limit>, such as error_rate < 1%",
        type: "string",
        pattern: THRESHOLD_PATTERN,
      },
      auth: authForm(registry.schemes),
      steps: stepsForm(registry),
    },
  };
}

/** The JSON Schema of a flow file and of a mix, which its key says it is. */
export function flowFileSchema(registry: Registry): JsonObject {
  const { $schema, title, description, $defs, ...flow } = flowSchema(registry);
  return {
    ...{ $schema: $schema!, title: title!, description: description! },
    if: { required: ["mix"] },
    then: formOf(mixFields),
    else: flow,
    $defs: $defs!,
  };
}

/** The JSON Schema of a target file, from the table the reader reads it by. */
export function targetSchema(): JsonObject {
  return {
    $schema: DIALECT,
    title: "bench target",
    description: "Where a bench run may go, and how hard",
    ...target.form,
  };
}

/** One kind of file: its schema, its documentation and its names. */
export interface FileLanguage {
  readonly kind: "flow" | "mix" | "target";
  readonly forms: Forms;
  /** Of its steps. */
  readonly kinds: Kinds;
  readonly names: NameIndex;
  readonly reference: Reference;
}

/** Of flow files. */
export function flowLanguage(registry: Registry): FileLanguage {
  const forms = new Forms(flowSchema(registry));
  const { kinds } = registry;
  const names = new NameIndex(forms, kinds);
  return { kind: "flow", forms, kinds, names, reference: flowReference };
}

/** Of mixes, which have no steps of their own. */
export function mixLanguage(registry: Registry): FileLanguage {
  const { $defs } = flowSchema(registry);
  const forms = new Forms({ ...formOf(mixFields), $defs: $defs! });
  const kinds: Kinds = new Map();
  const names = new NameIndex(forms, kinds);
  return { kind: "mix", forms, kinds, names, reference: flowReference };
}

/** Of target files. */
export function targetLanguage(): FileLanguage {
  const forms = new Forms(targetSchema());
  const kinds: Kinds = new Map();
  const names = new NameIndex(forms, kinds);
  return { kind: "target", forms, kinds, names, reference: targetReference };
}
