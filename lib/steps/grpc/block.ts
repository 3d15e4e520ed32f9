import * as v from "valibot";
import type { Words } from "../../language/expressions/elsewhere.ts";
import {
  beside,
  optional,
  required,
  type Value,
  type ValueOf,
} from "../../language/fields/field.ts";
import { list } from "../../language/fields/list.ts";
import { mapping } from "../../language/fields/mapping.ts";
import { filePath, filled, plain } from "../../language/fields/scalars.ts";
import { payloadOf } from "../../language/fields/templates.ts";
import { headers, url } from "../http/block.ts";

const NAME = "[A-Za-z_][\\w.]*/[A-Za-z_]\\w*";
const METHOD = new RegExp(`^/?(${NAME})$`);

const path = filled(plain({
  why: "the schema is read before the run",
  hint: "write it out",
}));
const file = filePath(path);

/** `package.Service/Method`; the IR has it without a leading slash. */
const method: Value<string> = {
  schema: v.pipe(v.string(), v.regex(new RegExp(`^${NAME}$`))),
  form: { type: "string", pattern: METHOD.source },
  read(slot) {
    const text = path.read(slot);
    if (text === undefined) return;
    const [, name] = METHOD.exec(text) ?? [];
    if (name !== undefined) return name;
    const [, service, call] = /^\/?([\w.]+)[.:](\w+)$/.exec(text) ?? [];
    return slot.report({
      code: "bad-method",
      message:
        `${slot.what} must be package.Service/Method, but it is "${text}"`,
      hint: call
        ? `did you mean ${service}/${call}?`
        : "for example shop.v1.Catalog/GetItem",
    });
  },
};

/** Words of other tools, with the way out. */
const WORDS: Words = {
  "protos?|proto_files?|schema|file|definitions?|descriptor":
    "did you mean `proto`?",
  "includes?|imports?|import_path|proto_paths?|import_dirs?":
    "did you mean `import_paths`?",
  "service|rpc|call|full_method|method_name|endpoint_method|operation":
    "did you mean `method`? it is `package.Service/Method`",
  "hosts?|server|address|addr|authority|channel": "did you mean `url`?",
  "data|payload|body|requests?|json|params?|args|input|fields":
    "did you mean `message`?",
  "metadata|meta|header|request_headers":
    "metadata is `headers` of the step, beside `grpc`",
  "deadlines?|timeout_ms|max_time|rpc_timeout|call_timeout":
    "`timeout` beside `grpc`, in a flow file with `version: 1`, bounds a call and is sent as its deadline",
  "plaintext|insecure|tls|ssl|secure":
    "`grpc://` is without TLS, `grpcs://` with it",
  "reflect|reflection": "the schema is a file: `proto: shop.proto`",
  "stream|streaming": "streaming methods cannot be called",
};

export const grpcBlock = mapping({
  proto: required(file, "the `.proto` file, relative to the flow file"),
  import_paths: optional(
    list(file, { example: "[protos]" }),
    "roots that imports are looked up in, before the schema's own folder; the well-known types need none, nor do `api.proto`, `type.proto`, `source_context.proto`, `descriptor.proto` and `google/api/annotations.proto`",
  ),
  method: required(
    method,
    "`package.Service/Method`; a leading `/` does no harm; streaming methods are refused",
  ),
  url: optional(
    url,
    "`grpc://host:port`, or `grpcs://` for TLS, and nothing after the port; else host and port of the target's first base URL, where `https` means TLS",
    { alias: "endpoint" },
  ),
  message: optional(
    payloadOf("fields"),
    "the fields of the message, in the JSON form of protobuf; without it all have their defaults",
  ),
  ...beside({ headers: optional(headers, "metadata") }),
}, {
  places: [WORDS],
  hint:
    "for example `grpc: { proto: shop.proto, method: shop.v1.Catalog/GetItem, message: { id: 4 } }`",
});
export type GrpcBlock = ValueOf<typeof grpcBlock>;
