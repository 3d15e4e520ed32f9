import * as v from "valibot";
import { isAbsolute, join } from "../../base/values/paths.ts";
import { osReason } from "../../base/text/os_reason.ts";
import { child, type JsonValue } from "../../base/values/json.ts";
import {
  optional,
  type Part,
  required,
  type Slot,
  type Value,
} from "../../language/fields/field.ts";
import type { Least } from "../../language/fields/list.ts";
import { mapping } from "../../language/fields/mapping.ts";
import { filePath, filled, plain } from "../../language/fields/scalars.ts";
import {
  noteTemplateInKey,
  payload,
  templated,
  templatedText,
} from "../../language/fields/templates.ts";
import type {
  BlockDiagnostic,
  BlockFiles,
} from "../../language/flow/registry.ts";
import { entryOf, type MapNode } from "../../language/source/node.ts";

/** A field of a form: WHATWG URL section 5. */
export type FormField = { readonly name: string; readonly value: string };

/** A part of a multipart body (RFC 7578): a field, a text with its type, or a file. */
export type MultipartPart =
  | FormField
  | { readonly name: string; readonly text: string; readonly type?: string }
  | {
    readonly name: string;
    readonly file: string;
    readonly type?: string;
    readonly filename?: string;
  };

/** The body of a request, one of these. */
export interface BodyBlock {
  readonly body?: JsonValue;
  readonly form?: readonly FormField[];
  readonly multipart?: readonly MultipartPart[];
  readonly text?: string;
  /** Its path. */
  readonly file?: string;
}

const path = filePath(
  filled(plain({ why: "the file is read before the run" })),
);

/**
 * A mapping of names to values, or to lists of them, in the order in which it is
 * written: what is sent keeps that order.
 */
function ordered<T extends object>(
  { item, schema, form, what, least }: {
    readonly item: (name: string, slot: Slot) => T | undefined;
    readonly schema: v.GenericSchema<unknown, T>;
    readonly form: Value<T>["form"];
    readonly what: string;
    /** Absent for a body that is sent though nothing is in it. */
    readonly least?: Least;
  },
): Value<T[]> {
  const array = v.array(schema);
  return {
    schema: least ? v.pipe(array, v.minLength(1)) : array,
    form: {
      type: "object",
      ...(least && { minProperties: 1 }),
      additionalProperties: {
        anyOf: [form, { type: "array", items: form }],
      },
    },
    *parts(values, pointer): Iterable<Part> {
      for (const [index, value] of values.entries()) {
        for (const key of ["value", "text", "type", "filename"]) {
          const text = (value as Record<string, JsonValue>)[key];
          if (text === undefined) continue;
          const at = child(child(pointer, index), key);
          const { name } = value as unknown as FormField;
          yield {
            role: "template",
            pointer: at,
            value: text,
            ...(key !== "type" && key !== "filename" && { name }),
          };
        }
      }
    },
    read(slot) {
      const map = slot.map(
        `${slot.what} must be a mapping of names to values`,
        `write each ${what} as \`<name>: <value>\``,
      );
      const found: T[] = [];
      for (const { key, keyAt, value } of map?.entries ?? []) {
        noteTemplateInKey(key, keyAt, slot);
        for (const node of value.kind === "list" ? value.items : [value]) {
          const at = slot.below(found.length, node, `${what} \`${key}\``);
          slot.reader.locate(at.pointer, node.at);
          slot.reader.locate(child(at.pointer, "name"), keyAt);
          const read = item(key, at);
          if (read !== undefined) found.push(read);
        }
      }
      if (map && least) checkLeast(map, least, slot);
      return map && found;
    },
  };
}

/** A list without items is none. */
function checkLeast(
  { entries }: MapNode,
  { code, needs, hint }: Least,
  slot: Slot,
): void {
  if (entries.some(({ value }) => value.kind !== "list" || value.items[0])) {
    return;
  }
  slot.report({ code, message: `${slot.what} needs at least ${needs}`, hint });
}

const fieldSchema = v.strictObject({ name: v.string(), value: v.string() });

const form = ordered<FormField>({
  what: "form field",
  schema: fieldSchema,
  form: templatedText.form,
  item(name, slot) {
    const value = slot.below("value", slot.node, slot.what).read(templatedText);
    return value === undefined ? value : { name, value };
  },
});

/** Words of other tools in a part of a multipart body. */
const PART_WORDS = {
  "paths?|src|source|upload": "did you mean `file`?",
  "file_?name": "did you mean `name`?",
  "content_type|media_type|mime_?type|mime": "did you mean `type`?",
  "value|content|data|json": "did you mean `text`?",
};

const filePart = mapping({
  file: required(path, "the file whose bytes are sent, relative to the flow"),
  type: optional(
    templatedText,
    "its media type; by the ending of the file when absent",
  ),
  name: optional(
    templatedText,
    "its file name; that of the file when absent",
    { ir: "filename" },
  ),
}, { places: [PART_WORDS] });
const textPart = mapping({
  text: required(templatedText, "the text that is sent"),
  type: optional(templatedText, "its media type"),
}, { places: [PART_WORDS] });

const multipart = ordered<MultipartPart>({
  what: "part",
  least: {
    code: "multipart-empty",
    needs: "one part",
    hint: "to send no body, leave `multipart` out",
  },
  schema: v.union([
    fieldSchema,
    v.strictObject({ name: v.string(), ...textPart.entries }),
    v.strictObject({ name: v.string(), ...filePart.entries }),
  ]) as unknown as v.GenericSchema<unknown, MultipartPart>,
  form: { anyOf: [templatedText.form, filePart.form, textPart.form] },
  item(name, slot) {
    if (slot.node.kind !== "map" || slot.node.unquotedTemplate) {
      const value = slot.below("value", slot.node, slot.what)
        .read(templatedText);
      return value === undefined ? value : { name, value };
    }
    const text = entryOf(slot.node, "text");
    const file = entryOf(slot.node, "file");
    const isText = text ||
      !file &&
        slot.node.entries.some(({ key }) =>
          /^(?:value|content|data|json)$/i.test(key)
        );
    if (text && file) {
      return slot.report({
        at: file.keyAt,
        code: "two-bodies",
        message: `${slot.what} has both \`text\` and \`file\``,
        hint: "a part is one of them",
      });
    }
    const read = isText ? textPart.read(slot) : filePart.read(slot);
    return read && { name, ...read };
  },
});

const LATER = { version: 1, sinceIr: 2 } as const;

/** The fields of a request's body, by key. */
export const BODY_FIELDS = {
  body: optional(payload, "request body: any YAML value, sent as JSON"),
  form: optional(
    form,
    "request body: fields of a form, sent as `application/x-www-form-urlencoded`",
    LATER,
  ),
  multipart: optional(
    multipart,
    "request body: parts, sent as `multipart/form-data`; a part is a value, `{ file, type, name }` or `{ text, type }`",
    LATER,
  ),
  text: optional(templated, "request body: text, sent as it is", LATER),
  file: optional(
    path,
    "request body: the bytes of a file, relative to the flow",
    LATER,
  ),
};

/** JSON itself (RFC 8259), and every type whose content is JSON (RFC 6839). */
export const JSON_TYPE: RegExp =
  /^\s*(?:(?:application|text)\/json|[^;]*\+json)\s*(?:;|$)/i;

/** The files of a body by their JSON Pointers in the block. */
function filesOf({ file, multipart = [] }: BodyBlock): [string, string][] {
  return [
    ...file === undefined ? [] : [["/file", file] as [string, string]],
    ...multipart.flatMap((part, index): [string, string][] =>
      "file" in part ? [[`/multipart/${index}/file`, part.file]] : []
    ),
  ];
}

/** The bytes of a file that a body names. */
export function readBodyFile(path: string, files: BlockFiles): Uint8Array {
  return files.readBytes(
    isAbsolute(path) ? path : join(files.directory, path),
    Infinity,
  );
}

/** Reads every file that is sent, once, before the run. */
export function checkBodyFiles(
  block: BodyBlock,
  files: BlockFiles,
): Promise<readonly BlockDiagnostic[]> {
  const found = filesOf(block).flatMap(([at, path]): BlockDiagnostic[] => {
    try {
      readBodyFile(path, files);
      return [];
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) {
        const message = `cannot read the file \`${path}\`: ${osReason(error)}`;
        return [{ at, code: "no-file", message }];
      }
      return [{
        at,
        code: "no-file",
        message: `there is no file \`${path}\``,
        hint: "the path is relative to the flow file",
      }];
    }
  });
  return Promise.resolve(found);
}
