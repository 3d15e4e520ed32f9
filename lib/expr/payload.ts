import { canonical } from "../ir/canonical.ts";
import { isObject, type JsonValue } from "../values/json.ts";
import type { Names, Scope } from "./names.ts";
import {
  compileAsJson,
  compileAsText,
  parseTemplate,
  type TextTemplate,
} from "./template.ts";

type Part = string | ((scope: Scope) => string);

/**
 * Compiles a JSON payload whose string leaves may be templates, into its RFC
 * 8785 text with holes. A leaf that is exactly one template takes the value
 * with its JSON type; inside a longer string every value is its text (design
 * section 5, leaf rule). `{{ env.* }}` is filled in at once.
 */
export function compilePayload(value: JsonValue, names: Names): TextTemplate {
  const parts: Part[] = [];
  write(value, names, (part) => {
    const last = parts.at(-1);
    if (typeof part === "string" && typeof last === "string") {
      parts[parts.length - 1] = last + part;
    } else parts.push(part);
  });
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") {
    return { constant: only, render: () => only };
  }
  return {
    render(scope) {
      let out = "";
      for (const part of parts) {
        out += typeof part === "string" ? part : part(scope);
      }
      return out;
    },
  };
}

type Emit = (part: Part) => void;

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
    const value = compileAsJson(first, names);
    emit(first.root === "env" ? value(NOTHING) : value);
    return;
  }
  emit('"');
  for (const part of parts) {
    if (typeof part === "string") emit(escaped(part));
    else {
      const value = compileAsText(part, names);
      if (part.root === "env") emit(escaped(value(NOTHING)));
      else emit((scope) => escaped(value(scope)));
    }
  }
  emit('"');
}

/** Environment values need no scope. */
const NOTHING: Scope = { variables: [], rows: [] };

function escaped(text: string): string {
  return canonical(text).slice(1, -1);
}
