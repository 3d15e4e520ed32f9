import { compileCodec } from "./protobuf/codec.ts";
import { loadHttp2 } from "../../wire/http2/connection.ts";
import {
  GRPC_FORM,
  type GrpcBlock,
  grpcSchema,
  grpcTemplates,
  readGrpcBlock,
} from "./block.ts";
import { checkGrpcStep, reservedInGrpc } from "./check.ts";
import { exchangeCall } from "./exchange.ts";
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
  urls: ({ url }) => url === undefined ? [] : [{ pointer: "/url", value: url }],
  checkFlow(steps, report) {
    for (const step of steps) checkGrpcStep(step, report);
  },
  checkFiles: schemaProblems,
  async open(block, tools) {
    const [{ method, library }, http2] = await Promise.all([
      openMethod(block, tools.files),
      loadHttp2(),
    ]);
    const codec = compileCodec(method, library);
    const prepared = prepareCall(block, method.path, codec, tools);
    const { authorizer, capture, timeoutMs, wall } = tools;
    const exchange = async (context: AttemptContext) => {
      const call = prepared(context.scope);
      const answer = await exchangeCall(call, context, http2, timeoutMs);
      return new GrpcReply(call, answer, codec, capture, wall);
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
