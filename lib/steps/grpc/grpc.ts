import { compileCodec } from "./protobuf/codec.ts";
import { type GrpcBlock, grpcBlock } from "./block.ts";
import { GrpcResponse } from "./response.ts";
import { addressError, prepareCall } from "./request.ts";
import { openMethod, schemaProblems } from "./schema.ts";
import { STATUS_NAMES } from "./status.ts";
import {
  type BlockFiles,
  type KindStep,
  type Offer,
  STEP_KEYS,
} from "../../language/flow/kind.ts";
import { authorized } from "../http/attempt.ts";
import type { AttemptContext, Protocol } from "../protocol.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { unaryMethods } from "./protobuf/method.ts";
import { readSchema } from "./protobuf/schema.ts";
import { child } from "../../base/values/pointer.ts";
import { metadataError } from "./metadata.ts";
import type { Report } from "../../base/text/diagnostic.ts";

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
  checkedKeys: ["proto", "import_paths", "method", "message"],
  checkFiles: schemaProblems,
  offer: offerGrpc,
  async open(block, tools) {
    const { method, library } = await openMethod(block, tools.files);
    const codec = compileCodec(method, library);
    const prepared = prepareCall(block, method.path, codec, tools);
    const { authorizer, capture, timeoutMs, wall } = tools;
    // A callback in place of an async function saves a promise a request.
    const exchange = ({ scope, connections }: AttemptContext) => {
      const call = prepared(scope);
      return connections.exchangeHttp2(call.origin, call, timeoutMs)
        .then((response) =>
          new GrpcResponse(call, response, codec, capture, wall)
        );
    };
    return { attempt: authorized(exchange, authorizer) };
  },
};

/** What an editor may offer for a value of a `grpc` block. */
async function offerGrpc(
  [key]: readonly (string | number)[],
  written: JsonObject,
  files: BlockFiles,
): Promise<Offer> {
  if (key === "proto") return { files: [".proto"] };
  if (key === "import_paths") return { folders: true };
  if (key !== "method" || typeof written["proto"] !== "string") return {};
  const paths = written["import_paths"];
  const { schema } = await readSchema({
    files,
    main: written["proto"],
    importPaths: Array.isArray(paths)
      ? paths.filter((each) => typeof each === "string")
      : [],
  });
  return { words: schema ? unaryMethods(schema) : [] };
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
      at: { pointer, inside: name },
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
      at: { pointer, inside: name },
      code: "bad-metadata",
      message: error,
    });
  }
}
