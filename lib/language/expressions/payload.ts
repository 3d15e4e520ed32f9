import { canonical } from "../../base/values/canonical.ts";
import { isObject, type JsonValue } from "../../base/values/json.ts";
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
 */
export function compilePayload(value: JsonValue, names: Names): TextTemplate {
  const parts: TextPart[] = [];
  write(value, names, (part) => parts.push(part));
  return joinedText(parts);
}

type Emit = (part: TextPart) => void;

function write(value: JsonValue, names: Names, emit: Emit): void {
  if (typeof value === "string") writeString(value, names, emit);
  else if (Array.isArray(value)) {
    emit("[");
    value.forEach((each, index) => {
      if (index > 0) emit(",");
      write(each, names, emit);
    });
    emit("]");
  } else if (isObject(value)) {
    emit("{");
    // RFC 8785 section 3.2.3: by UTF-16 code unit, as sort() does.
    Object.keys(value).sort().forEach((key, index) => {
      emit(`${index > 0 ? "," : ""}${canonical(key)}:`);
      write(value[key]!, names, emit);
    });
    emit("}");
  } else emit(canonical(value));
}

function writeString(text: string, names: Names, emit: Emit): void {
  const parts = parseTemplate(text);
  const [first] = parts;
  if (parts.length === 1 && typeof first === "object") {
    emit(compileAsJson(first, names));
    return;
  }
  emit('"');
  for (const part of parts) {
    const value = typeof part === "string" ? part : compileAsText(part, names);
    emit(
      typeof value === "string"
        ? escaped(value)
        : (scope) => escaped(value(scope)),
    );
  }
  emit('"');
}

function escaped(text: string): string {
  return canonical(text).slice(1, -1);
}
