import { compileCodec } from "./protobuf/codec.ts";
import {
  GRPC_FORM,
  type GrpcBlock,
  grpcSchema,
  grpcTemplates,
  readGrpcBlock,
} from "./block.ts";
import { checkGrpcStep, reservedInGrpc } from "./check.ts";
import { offerGrpc } from "./offer.ts";
import { GrpcReply } from "./reply.ts";
import { prepareCall } from "./request.ts";
import { openMethod, schemaProblems } from "./schema.ts";
import { STATUS_NAMES } from "./status.ts";
import type { AttemptContext, Protocol } from "../protocol.ts";

/** One unary gRPC call. */
export const grpc: Protocol<GrpcBlock> = {
  kind: "grpc",
  doc: "a unary gRPC call",
  keys: ["headers", "extract", "assert", "retry", "throttle", "auth"],
  form: GRPC_FORM,
  requests: true,
  reserves: reservedInGrpc,
  statusNames: STATUS_NAMES,
  schema: grpcSchema,
  parse: readGrpcBlock,
  templates: grpcTemplates,
  facts: ({ method }) => ({ method }),
  urls: ({ url }) => url === undefined ? [] : [{ pointer: "/url", value: url }],
  checkFlow(steps, report) {
    for (const step of steps) checkGrpcStep(step, report);
  },
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
        .then((answer) => new GrpcReply(call, answer, codec, capture, wall));
    };
    if (!authorizer?.ready) return { attempt: exchange };
    const ready = authorizer.ready.bind(authorizer);
    return {
      async attempt(context) {
        const pending = ready(context.scope);
        if (pending) await pending;
        return await exchange(context);
      },
    };
  },
};
