import {
  framed,
  grpcServer,
  refuse,
  respond,
  textField,
} from "../support/grpc_server.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

const SCHEMA = `syntax = "proto3";
package contract;

message Question {}

message Result {
  string authorization = 1;
}

service Desk {
  rpc Ask(Question) returns (Result);
}
`;

/** A unary call; the server responds with the credential it was sent. */
export const fixture: ProtocolFixture = {
  kind: "grpc",
  step: (url) =>
    `grpc: { proto: desk.proto, method: contract.Desk/Ask${
      url === undefined ? "" : `, url: "${url}"`
    } }`,
  address: (baseUrl) => baseUrl.replace(/^http/, "grpc"),
  files: { "desk.proto": SCHEMA },
  async start(manner) {
    const server = await grpcServer((call) => {
      const message = textField(String(call.headers.authorization));
      switch (manner) {
        case "responds":
          return respond(call, message);
        case "stays silent":
          return;
        case "throttles":
          return refuse(call, 8, { "grpc-message": "too many requests" });
        case "breaks off":
          call.stream.respond({ ":status": 200 });
          call.stream.write(framed(message).subarray(0, 7), () => {
            call.socket.destroy();
          });
      }
    });
    return {
      url: `http://127.0.0.1:${server.port}`,
      asked: server.asked,
      get credentials() {
        return server.calls.map(({ headers }) => headers.authorization);
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  },
  codes: { timeout: "timeout", refused: "refused", brokenOff: "reset" },
};
