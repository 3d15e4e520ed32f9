import { compileCodec } from "./protobuf/codec.ts";
import { type GrpcBlock, grpcBlock } from "./block.ts";
import { checkGrpcStep, reservedInGrpc } from "./check.ts";
import { offerGrpc } from "./offer.ts";
import { GrpcResponse } from "./response.ts";
import { prepareCall } from "./request.ts";
import { openMethod, schemaProblems } from "./schema.ts";
import { STATUS_NAMES } from "./status.ts";
import { STEP_KEYS } from "../../language/flow/kind.ts";
import type { AttemptContext, Protocol } from "../protocol.ts";

/** One unary gRPC call. */
export const grpc: Protocol<GrpcBlock> = {
  kind: "grpc",
  doc: "a unary gRPC call",
  block: grpcBlock,
  keys: STEP_KEYS,
  requests: true,
  noQuery: true,
  reserves: reservedInGrpc,
  statusNames: STATUS_NAMES,
  facts: ({ method }) => ({ method }),
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
        .then((response) =>
          new GrpcResponse(call, response, codec, capture, wall)
        );
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
