import { below, type Report } from "../../base/text/diagnostic.ts";
import { child, type JsonObject } from "../../base/values/json.ts";
import {
  parseTemplate,
  wholeReference,
} from "../../language/expressions/template.ts";
import {
  type BlockDiagnostic,
  type BlockFiles,
  type BodyCheck,
  type IsSoundKey,
  type KindStep,
  STEP_KEYS,
  type Suggestions,
} from "../../language/flow/registry.ts";
import { authorized } from "../http/attempt.ts";
import type { Adapter, Protocol } from "../protocol.ts";
import { type GrpcBlock, grpcBlock } from "./block.ts";
import { metadataError } from "./metadata.ts";
import { type Codec, compileCodec } from "./protobuf/codec.ts";
import {
  checkMessage,
  type Templated,
  templatesOfStrings,
} from "./protobuf/message_check.ts";
import { checkResponse } from "./protobuf/response_check.ts";
import {
  fieldKeys,
  findMethod,
  readSchema,
  type Schema,
  type SchemaReading,
  type UnaryMethod,
  unaryMethods,
} from "./protobuf/method.ts";
import { addressError, type CalledMethod, prepareCall } from "./request.ts";
import { isThere } from "./protobuf/proto_files.ts";
import { GrpcResponse } from "./response.ts";
import { STATUS_NAMES } from "./verdict.ts";

/** Schemas by what they are read from: steps of one run share them. */
const readings = new WeakMap<BlockFiles, Map<string, Promise<SchemaReading>>>();

/** Readings that were reported on; other steps with that schema say nothing. */
const reported = new WeakSet<SchemaReading>();

/**
 * The method a block names, from a schema that was checked before.
 *
 * @throws {Error} when it cannot be called after all
 */
async function openMethod(
  block: GrpcBlock,
  files: BlockFiles,
): Promise<CalledMethod> {
  const { schema, errors } = await readingOf(block, files);
  if (!schema) throw new Error(errors[0]!.message);
  const method = findMethod(schema, block.method, block.proto);
  if ("code" in method) throw new Error(method.message);
  const { request, response } = method;
  // Steps that call it share its code, which V8 then compiles once.
  const known = codecs.getOrInsertComputed(request, () => new Map());
  const codec = known.getOrInsertComputed(
    response,
    () => compileCodec(method, schema.library),
  );
  const { message = {} } = block;
  const strings = templatesOfStrings(
    request,
    message,
    schema.library,
    templated,
  );
  return { path: method.path, codec, strings };
}

/** By the type of the request, then by that of the response. */
const codecs = new WeakMap<
  UnaryMethod["request"],
  Map<UnaryMethod["response"], Codec>
>();

/** The errors in a block's schema, its method and its message. */
async function schemaProblems(
  block: GrpcBlock,
  files: BlockFiles,
  isSound: IsSoundKey,
): Promise<BlockDiagnostic[]> {
  const reading = await readingOf(block, files);
  const { schema, errors } = reading;
  const known = reported.has(reading);
  reported.add(reading);
  const folders = known ? [] : missingFolders(block, files);
  if (!schema) {
    const found = errors.flatMap(({ at, ...rest }): BlockDiagnostic[] => {
      if (!at) return [{ ...rest, at: "/proto" }];
      return known ? [] : [{ ...rest, at }];
    });
    return [...folders, ...found];
  }
  return [...folders, ...callProblems(block, schema, isSound)];
}

/** The errors in the method and the message of a block. */
function callProblems(
  block: GrpcBlock,
  schema: Schema,
  isSound: IsSoundKey,
): BlockDiagnostic[] {
  const method = findMethod(schema, block.method, block.proto);
  if ("code" in method) return [method];
  const { message } = block;
  // Fields would be missing of one that could not be read.
  if (!message && !isSound("message")) return [];
  return checkMessage(method.request, message ?? {}, schema.library, templated)
    .map((each) => ({ ...each, at: below("/message", each.at) }))
    .filter(({ at, code }) =>
      !OF_VALUES.has(code) || typeof at !== "string" || isSound(at.slice(1))
    );
}

/** Import paths at which there is nothing: a misspelt one is passed over as an empty folder is. */
function missingFolders(
  { import_paths = [] }: GrpcBlock,
  files: BlockFiles,
): BlockDiagnostic[] {
  return import_paths.flatMap((path, index): BlockDiagnostic[] =>
    isThere(path, files) ? [] : [{
      at: `/import_paths/${index}`,
      code: "no-folder",
      severity: "warning",
      message: `there is no folder \`${path}\` to look imports up in`,
      hint: "the path is relative to the flow file",
    }]
  );
}

/** Codes of what follows from a value that was reported already, such as a number with too many digits. */
const OF_VALUES: ReadonlySet<string> = new Set(["wrong-type", "out-of-range"]);

/** The error in a check of the response, where the schema has none. */
async function bodyProblem(
  block: GrpcBlock,
  files: BlockFiles,
  check: BodyCheck,
) {
  const { schema } = await readingOf(block, files);
  const method = schema && findMethod(schema, block.method, block.proto);
  return !method || "code" in method
    ? undefined
    : checkResponse(method.response, check, schema.library);
}

function readingOf(
  { proto, import_paths = [] }: GrpcBlock,
  files: BlockFiles,
): Promise<SchemaReading> {
  const known = readings.getOrInsertComputed(files, () => new Map());
  return known.getOrInsertComputed(
    JSON.stringify([proto, import_paths]),
    () => readSchema({ files, main: proto, importPaths: import_paths }),
  );
}

/** `{{ env.* }}` is always a string; any other template can have any type. */
const templated: Templated = (text) => {
  try {
    const whole = wholeReference(text);
    if (whole) return whole.root === "env" ? "part" : "whole";
    return parseTemplate(text).some((part) => typeof part !== "string")
      ? "part"
      : "none";
  } catch {
    return "none";
  }
};

export const grpc: Protocol<GrpcBlock> = {
  kind: "grpc",
  doc: "a unary gRPC call",
  block: grpcBlock,
  keys: STEP_KEYS,
  requests: true,
  noQuery: true,
  reserves: (name) => RESERVED.test(name),
  statusNames: STATUS_NAMES,
  facts: ({ method }) => ({ method }),
  checkFlow(steps, report) {
    for (const step of steps) checkGrpcStep(step, report);
  },
  checkedKeys: ["proto", "import_paths", "method"],
  checkFiles: schemaProblems,
  checkBody: bodyProblem,
  suggest: suggestGrpc,
  async open(block, tools) {
    const called = await openMethod(block, tools.files);
    const prepared = prepareCall(block, called, tools);
    const { codec } = called;
    const { authorizer, capture, timeoutMs, wall } = tools;
    const exchange: Adapter["attempt"] = ({ scope, connections }, end) => {
      const call = prepared(scope);
      connections.exchangeHttp2(call.origin, call, timeoutMs, (response) => {
        let read: GrpcResponse;
        try {
          read = new GrpcResponse(
            call,
            response,
            codec,
            capture,
            wall,
            timeoutMs,
          );
        } catch (error) {
          return end.error(error);
        }
        end.response(read);
      });
    };
    return { attempt: authorized(exchange, authorizer) };
  },
};

/** The values that an editor suggests in a `grpc` block. */
async function suggestGrpc(
  [key, ...below]: readonly (string | number)[],
  written: JsonObject,
  files: BlockFiles,
): Promise<Suggestions> {
  if (key === "proto") return { files: [".proto"] };
  if (key === "import_paths") return { folders: true };
  const isKnown = key === "method" || key === "message";
  if (!isKnown || typeof written["proto"] !== "string") return {};
  const paths = written["import_paths"];
  const { schema } = await readSchema({
    files,
    main: written["proto"],
    importPaths: Array.isArray(paths)
      ? paths.filter((each) => typeof each === "string")
      : [],
  });
  if (!schema) return {};
  return key === "method"
    ? { words: unaryMethods(schema) }
    : { keys: fieldKeys(schema, String(written["method"]), below) };
}

/** Checks what needs no schema: the address and metadata. */
function checkGrpcStep(
  { block, pointer }: KindStep<GrpcBlock>,
  report: Report,
): void {
  const { url } = block;
  const error = url === undefined ? undefined : addressError(url);
  if (error) {
    const at = { pointer: `${pointer}/block/url`, inside: error.at };
    report({ ...error, at });
  }
  for (const [name, value] of Object.entries(block.headers ?? {})) {
    checkField(name, value, child(`${pointer}/block/headers`, name), report);
  }
}

/** Names the protocol itself gives a meaning (gRPC over HTTP/2, "Requests"). */
const RESERVED = /^(?:grpc-.*|content-type)$/i;

function checkField(
  name: string,
  value: string,
  pointer: string,
  report: Report,
): void {
  if (RESERVED.test(name)) {
    report({
      at: { pointer, key: name },
      code: "reserved-metadata",
      message: `\`${name}\` cannot be declared: gRPC itself writes it`,
      hint: "remove the header",
    });
    return;
  }
  const error = value.includes("{{") || value === ""
    ? undefined
    : metadataError(name, value);
  // A line break is reported for every kind of step.
  if (error && !/[\r\n\0]/.test(value)) {
    report({
      at: { pointer, key: name },
      code: "bad-metadata",
      message: error,
    });
  }
}
