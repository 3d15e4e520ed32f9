import { Buffer } from "node:buffer";
import * as grpc from "@grpc/grpc-js";
import protobuf from "protobufjs";

/** The schema this server speaks. */
export const SHOP_PROTO = `syntax = "proto3";
package shop.v1;

import "google/protobuf/timestamp.proto";

enum State {
  STATE_UNKNOWN = 0;
  OPEN = 1;
  SHIPPED = 2;
}

message OrderRequest {
  int32 item_id = 1;
  int64 amount = 2;
  State state = 3;
  bytes note = 4;
  repeated string tags = 5;
  map<string, int64> counts = 6;
  google.protobuf.Timestamp due = 7;
}

message Order {
  OrderRequest request = 1;
  int64 total = 2;
  string seen_user_agent = 3;
  double share = 4;
}

service Orders {
  rpc Place(OrderRequest) returns (Order);
  rpc Limited(OrderRequest) returns (Order);
  rpc Missing(OrderRequest) returns (Order);
  rpc Slow(OrderRequest) returns (Order);
  rpc Watch(OrderRequest) returns (stream Order);
}
`;

/** A server of @grpc/grpc-js, which is not of this project. */
export interface GrpcJsServer extends AsyncDisposable {
  readonly port: number;
  /** Calls of `Limited` so far. */
  readonly limited: number;
}

/** Starts the server on a free loopback port. */
export async function grpcJsServer(): Promise<GrpcJsServer> {
  const { root } = protobuf.parse(SHOP_PROTO);
  root.addJSON(
    (protobuf.common as unknown as Record<string, protobuf.INamespace>)[
      "google/protobuf/timestamp.proto"
    ]!.nested!,
  );
  const [request, response] = ["OrderRequest", "Order"]
    .map((name) => root.lookupType(`shop.v1.${name}`));
  const method = (name: string): grpc.MethodDefinition<object, object> => ({
    path: `/shop.v1.Orders/${name}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value) => Buffer.from(request!.encode(value).finish()),
    requestDeserialize: (bytes) => request!.decode(bytes),
    responseSerialize: (value) => Buffer.from(response!.encode(value).finish()),
    responseDeserialize: (bytes) => response!.decode(bytes),
  });
  let limited = 0;
  const server = new grpc.Server();
  const names = ["Place", "Limited", "Missing", "Slow"];
  server.addService(
    Object.fromEntries(names.map((name) => [name, method(name)])),
    {
      Place(call: Call, done: Done) {
        const first = new grpc.Metadata();
        first.set("x-tenant", call.metadata.get("x-tenant")[0] ?? "");
        first.set("x-seen", call.metadata.get("authorization")[0] ?? "");
        call.sendMetadata(first);
        const last = new grpc.Metadata();
        last.set("x-trailer", "at the end");
        done(null, {
          request: call.request,
          total: 9007199254740993n.toString(),
          seenUserAgent: String(call.metadata.get("user-agent")[0]),
        }, last);
      },
      Limited(call: Call, done: Done) {
        if (++limited % 3 === 0) return done(null, { request: call.request });
        const metadata = new grpc.Metadata();
        metadata.set("grpc-retry-pushback-ms", "5");
        done({
          code: grpc.status.RESOURCE_EXHAUSTED,
          details: "wait",
          metadata,
        });
      },
      Missing: (_call: Call, done: Done) =>
        done({ code: grpc.status.NOT_FOUND, details: "no such order: größer" }),
      Slow() {},
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(
      "127.0.0.1:0",
      grpc.ServerCredentials.createInsecure(),
      (error, bound) => error ? reject(error) : resolve(bound),
    )
  );
  return {
    port,
    get limited() {
      return limited;
    },
    [Symbol.asyncDispose]() {
      server.forceShutdown();
      return Promise.resolve();
    },
  };
}

type Call = grpc.ServerUnaryCall<object, object>;
type Done = (
  error: Partial<grpc.ServiceError> | null,
  value?: object,
  trailer?: grpc.Metadata,
) => void;
