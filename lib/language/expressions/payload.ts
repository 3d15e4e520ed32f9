import { canonical } from "../../base/values/canonical.ts";
import { child, isObject, type JsonValue } from "../../base/values/json.ts";
import {
  compileAsJson,
  compileAsText,
  joinedText,
  type Names,
  parseTemplate,
  type TextPart,
  type TextTemplate,
} from "./template.ts";

/**
 * Compiles a JSON payload whose string leaves may be templates, into its RFC
 * 8785 text with holes. A leaf that is exactly one template takes the value
 * with its JSON type; inside a longer string every value is its text.
 * `{{ env.* }}` is filled in at once.
 *
 * @param strings the leaves, by JSON Pointer, in which numbers and booleans are strings as well
 */
export function compilePayload(
  value: JsonValue,
  names: Names,
  strings: ReadonlySet<string> = new Set(),
): TextTemplate {
  const parts: TextPart[] = [];
  new PayloadWriter(names, strings, parts).write(value, "");
  return joinedText(parts);
}

class PayloadWriter {
  constructor(
    readonly names: Names,
    readonly strings: ReadonlySet<string>,
    readonly parts: TextPart[],
  ) {}

  write(value: JsonValue, pointer: string): void {
    const { parts } = this;
    if (typeof value === "string") this.#string(value, pointer);
    else if (Array.isArray(value)) {
      parts.push("[");
      value.forEach((each, index) => {
        if (index > 0) parts.push(",");
        this.write(each, child(pointer, index));
      });
      parts.push("]");
    } else if (isObject(value)) {
      parts.push("{");
      // RFC 8785 section 3.2.3: by UTF-16 code unit, as sort() does.
      Object.keys(value).sort().forEach((key, index) => {
        parts.push(`${index > 0 ? "," : ""}${canonical(key)}:`);
        this.write(value[key]!, child(pointer, key));
      });
      parts.push("}");
    } else parts.push(canonical(value));
  }

  #string(text: string, pointer: string): void {
    const { parts, names } = this;
    const parsed = parseTemplate(text);
    const [first] = parsed;
    if (parsed.length === 1 && typeof first === "object") {
      const json = compileAsJson(first, names);
      parts.push(
        typeof json === "function" && this.strings.has(pointer)
          ? (scope) => quoted(json(scope))
          : json,
      );
      return;
    }
    parts.push('"');
    for (const part of parsed) {
      const value = typeof part === "string"
        ? part
        : compileAsText(part, names);
      parts.push(
        typeof value === "string"
          ? escaped(value)
          : (scope) => escaped(value(scope)),
      );
    }
    parts.push('"');
  }
}

/** The JSON of a number or a boolean as that of a string. */
function quoted(json: string): string {
  return /^[-\dtf]/.test(json) ? `"${json}"` : json;
}

function escaped(text: string): string {
  return canonical(text).slice(1, -1);
}
