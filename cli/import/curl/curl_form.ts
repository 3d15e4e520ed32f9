import mime from "mime";
import { extname } from "../../../lib/base/values/paths.ts";
import {
  type FormPart,
  isFilePath,
  isInOrder,
  type MultipartField,
  type RequestBody,
  shownNames,
} from "../draft/http_request.ts";
import type { GivenOption } from "./curl_arguments.ts";

/** The multipart form of `-F` and `--form-string`, or in words why it is left out. */
export function formOf(
  options: readonly GivenOption[],
  readText: (path: string) => string,
): RequestBody {
  const written = options.filter(({ option: { long } }) =>
    long === "form" || long === "form-string"
  ).map(({ option, value }) => {
    const at = value.indexOf("=");
    const name = value.slice(0, Math.max(at, 0));
    const text = value.slice(at + 1);
    return { name, text, plain: option.long === "form-string" };
  });
  const fields = written.flatMap(({ name, text, plain }) => {
    const parts = name === ""
      ? undefined
      : plain
      ? [text]
      : partsOf(text, readText);
    return parts?.map((part): MultipartField => [name, part]) ?? [undefined];
  });
  const sent = fields.filter((each) => each !== undefined);
  return sent.length === fields.length && isInOrder(sent)
    ? { multipart: sent }
    : {
      unsendable: `a multipart form${
        shownNames(written.map(({ name }) => name))
      }: write it as \`multipart\``,
    };
}

/** The parts of one `-F`; undefined for what a flow has no words for. */
function partsOf(
  text: string,
  readText: (path: string) => string,
): readonly (string | FormPart)[] | undefined {
  const how = text[0] ?? "";
  // Parts in parts.
  if (how === "(" || how === "=") return;
  if (how !== "@") {
    const { content, facts } = splitPart(how === "<" ? text.slice(1) : text);
    if (content === undefined || !facts || facts.has("filename")) return;
    const type = facts.get("type");
    const own = how === "<" ? fileText(content, readText) : content;
    if (own === undefined) return;
    return [type === undefined ? own : { text: own, type }];
  }
  const parts = splitOutside(text.slice(1), ",").map((each) => {
    const { content = "", facts } = splitPart(each);
    if (!facts || content === "-" || !isFilePath(content)) return;
    const name = facts.get("filename");
    const type = facts.get("type") ?? unlikeOwn(content, name);
    return {
      file: content,
      ...(type !== undefined && { type }),
      ...(name !== undefined && { name }),
    };
  });
  return parts.every((each) => each !== undefined) ? parts : undefined;
}

/** The type that curl gives a file, where a flow gives it another one. */
function unlikeOwn(file: string, name = file): string | undefined {
  const [type = UNKNOWN] = [name, file].flatMap((each) =>
    TYPES.get(extname(each).toLowerCase()) ?? []
  );
  return type === (mime.getType(file) ?? UNKNOWN) ? undefined : type;
}

const UNKNOWN = "application/octet-stream";
/** All that curl knows. */
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries({
  ".gif": "image/gif",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".htm": "text/html",
  ".html": "text/html",
  ".pdf": "application/pdf",
  ".xml": "application/xml",
}));

/** The text of a field that is in a file; standard input is not in the command. */
function fileText(
  path: string,
  readText: (path: string) => string,
): string | undefined {
  return path === "-" || !isFilePath(path) ? undefined : readText(path);
}

/** The part before the first `;`, and the facts behind it: `type=image/png`. */
function splitPart(text: string): {
  readonly content: string | undefined;
  /** Undefined where something else is said, such as `headers=`. */
  readonly facts: ReadonlyMap<string, string> | undefined;
} {
  const [first = "", ...others] = splitOutside(text, ";");
  const facts = new Map<string, string>();
  for (const each of others) {
    const [, name, value = ""] = /^\s*(\w+)=([\s\S]*)$/.exec(each) ?? [];
    const type = facts.get("type");
    if (name === "type" || name === "filename") {
      facts.set(name, unquoted(value));
    } else if (/^(?:headers|encoder)$/.test(name ?? "")) {
      return { content: undefined, facts: undefined };
    } // A parameter of the type: `; charset=utf-8`. Curl sends no other.
    else if (type !== undefined) facts.set("type", `${type};${each}`);
  }
  return { content: unquoted(first), facts };
}

/** Splits a text, but not inside double quotes. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [""];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const each = text[at]!;
    if (each === separator && !quoted) {
      parts.push("");
      continue;
    }
    if (each === '"' && (quoted || parts.at(-1)!.trim().match(/^(?:\w+=)?$/))) {
      quoted = !quoted;
    }
    parts[parts.length - 1] += each;
    if (quoted && each === "\\" && at + 1 < text.length) {
      parts[parts.length - 1] += text[++at]!;
    }
  }
  return parts;
}

function unquoted(text: string): string {
  const [, inner] = /^\s*"((?:[^"\\]|\\[^])*)"\s*$/.exec(text) ?? [];
  return inner?.replaceAll(/\\([\\"])/g, "$1") ?? text;
}
