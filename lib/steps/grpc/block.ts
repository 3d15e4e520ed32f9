import * as v from "valibot";
import {
  type Form,
  listOf,
  PAYLOAD,
  PLAIN,
  WORDS,
} from "../../language/source/form.ts";
import {
  type Fields,
  type KeyTable,
  readMapping,
} from "../../language/source/mapping.ts";
import { mappingWith } from "../../language/source/mapping_form.ts";
import { describe, type Node } from "../../language/source/node.ts";
import { readPayload } from "../../language/source/payload.ts";
import type { Reader } from "../../language/source/reader.ts";
import { readString } from "../../language/source/scalars.ts";
import { isObject, type JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { ONE_URL_AT_MOST, readBlockUrl } from "../http/block_url.ts";
import { readHeaders } from "../http/block.ts";
import type { StepSource, TemplatedField } from "../protocol.ts";

/** The keys of a `grpc` block. */
export const GRPC_KEYS = {
  proto: {
    required: true,
    doc: "the .proto file, relative to the flow file",
    form: PLAIN,
  },
  import_paths: {
    doc: "roots that the schema's own imports are looked up in",
    form: listOf(PLAIN),
  },
  method: {
    required: true,
    doc: "package.Service/Method",
    form: { type: "string", pattern: "^/?[A-Za-z_][\\w.]*/[A-Za-z_]\\w*$" },
  },
  url: {
    doc: "grpc://host:port, or grpcs:// for TLS; else the target's base URL",
    form: WORDS,
  },
  endpoint: { doc: "another word for `url`", form: WORDS },
  message: {
    doc: "the request message as JSON",
    form: { type: "object", ...PAYLOAD },
  },
} as const satisfies KeyTable;

/** A `grpc` block to an editor. */
export const GRPC_FORM: Form = mappingWith(GRPC_KEYS, ONE_URL_AT_MOST);

type GrpcFields = Fields<keyof typeof GRPC_KEYS>;

const METHOD = /^\/?([A-Za-z_][\w.]*\/[A-Za-z_]\w*)$/;

/** The IR block. Strings but `proto`, `import_paths` and `method` may hold templates. */
export const grpcSchema = v.strictObject({
  proto: v.pipe(v.string(), v.minLength(1)),
  import_paths: v.exactOptional(
    v.pipe(v.array(v.pipe(v.string(), v.minLength(1))), v.minLength(1)),
  ),
  /** Without a leading slash. */
  method: v.pipe(v.string(), v.regex(/^[A-Za-z_][\w.]*\/[A-Za-z_]\w*$/)),
  url: v.exactOptional(v.pipe(v.string(), v.minLength(1))),
  headers: v.exactOptional(v.record(v.string(), v.string())),
  message: v.exactOptional(
    v.custom<JsonObject>(isObject, "Invalid type: Expected object"),
  ),
});
export type GrpcBlock = v.InferOutput<typeof grpcSchema>;

/** Reads a `grpc` block; every mistake is reported. */
export function readGrpcBlock(
  source: StepSource,
  reader: Reader,
): GrpcBlock | undefined {
  const fields = readMapping(source.action, GRPC_KEYS, "`grpc`", reader);
  if (!fields) return;
  const mistakes = reader.diagnostics.count;
  const pointer = `${source.pointer}/block`;
  const proto = readPlain(
    fields.get("proto")?.value,
    "`proto`",
    child(pointer, "proto"),
    reader,
  );
  const method = readMethod(fields, child(pointer, "method"), reader);
  const import_paths = readImportPaths(
    fields,
    child(pointer, "import_paths"),
    reader,
  );
  const url = readBlockUrl(fields, pointer, reader);
  const entry = source.key("headers");
  const headers = entry &&
    readHeaders(entry, child(pointer, "headers"), reader);
  const message = readMessage(fields, child(pointer, "message"), reader);
  if (proto === undefined || method === undefined) return;
  if (reader.diagnostics.count > mistakes) return;
  return {
    proto,
    ...(import_paths?.length && { import_paths }),
    method,
    ...(url !== undefined && { url }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(message && Object.keys(message).length > 0 && { message }),
  };
}

/** Every string of the block that templates may stand in. */
export function grpcTemplates(block: GrpcBlock): TemplatedField[] {
  const fields: TemplatedField[] = [];
  if (block.url !== undefined) {
    fields.push({ pointer: "/url", value: block.url });
  }
  for (const [name, value] of Object.entries(block.headers ?? {})) {
    fields.push({ pointer: child("/headers", name), value });
  }
  if (block.message) fields.push({ pointer: "/message", value: block.message });
  return fields;
}

function readMethod(
  fields: GrpcFields,
  pointer: string,
  reader: Reader,
): string | undefined {
  const node = fields.get("method")?.value;
  const text = readPlain(node, "`method`", pointer, reader);
  if (!node || text === undefined) return;
  const [, method] = METHOD.exec(text) ?? [];
  if (method === undefined) {
    const [, service, name] = /^\/?([\w.]+)[.:](\w+)$/.exec(text) ?? [];
    reader.report({
      at: node.at,
      code: "bad-method",
      message: `\`method\` must be package.Service/Method, but it is "${text}"`,
      hint: name
        ? `did you mean ${service}/${name}?`
        : "for example shop.v1.Catalog/GetItem",
    });
  }
  return method;
}

function readImportPaths(
  fields: GrpcFields,
  pointer: string,
  reader: Reader,
): string[] | undefined {
  const node = fields.get("import_paths")?.value;
  if (!node) return;
  reader.place(pointer, node.at);
  if (node.kind !== "list") {
    reader.report({
      at: node.at,
      code: "wrong-type",
      message: `\`import_paths\` must be a list, but it is ${describe(node)}`,
      hint: node.kind === "scalar" && typeof node.value === "string"
        ? `write [${node.text}]`
        : "for example [protos]",
    });
    return;
  }
  return node.items.flatMap((item, index) =>
    readPlain(
      item,
      "each item of `import_paths`",
      child(pointer, index),
      reader,
    ) ?? []
  );
}

/** A string that is taken as it is written. */
function readPlain(
  node: Node | undefined,
  what: string,
  pointer: string,
  reader: Reader,
): string | undefined {
  if (!node) return;
  reader.place(pointer, node.at);
  const text = readString(node, what, reader);
  if (text === undefined) return;
  if (text.includes("{{")) {
    reader.report({
      at: node.at,
      code: "template-not-allowed",
      message: `${what} is not templated: the schema is read before the run`,
      hint: "write it out",
    });
  } else if (text.trim() === "") {
    reader.report({
      at: node.at,
      code: "empty",
      message: `${what} cannot be empty`,
    });
  } else return text;
}

function readMessage(
  fields: GrpcFields,
  pointer: string,
  reader: Reader,
): JsonObject | undefined {
  const node = fields.get("message")?.value;
  if (!node) return;
  const message = readPayload(node, pointer, reader);
  if (message === undefined || isObject(message)) return message;
  reader.report({
    at: node.at,
    code: "wrong-type",
    message: `\`message\` must be a mapping of fields, but it is ${
      describe(node)
    }`,
  });
}
