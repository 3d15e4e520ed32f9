import { createTokenSource } from "../../../../lib/steps/auth/token_endpoint.ts";
import { schemes } from "../../../../lib/steps/registry.ts";
import { Sessions } from "../../../../lib/engine/vu/vu.ts";
import type { Scope } from "../../../../lib/language/expressions/template.ts";
import { grpc } from "../../../../lib/steps/grpc/grpc.ts";
import type { GrpcBlock } from "../../../../lib/steps/grpc/block.ts";
import type { AttemptContext } from "../../../../lib/steps/protocol.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { type Clock, systemClock } from "../../../../lib/base/time/clock.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import {
  type GrpcCall,
  grpcServer,
  respond,
  textField,
} from "../../../support/grpc_server.ts";
import { attempted } from "../../../support/attempted.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { STRICT } from "../../../support/strict.ts";

export const DESK = `syntax = "proto3";
package desk.v1;
message Question {
  string text = 1;
  int32 number = 2;
}
message Result {
  string text = 1;
  int64 count = 2;
  repeated string tags = 3;
}
service Desk {
  rpc Ask(Question) returns (Result);
}
`;

/** One VU that can make gRPC calls to one origin. */
export interface GrpcHarness extends AsyncDisposable {
  readonly context: AttemptContext;
  /** Calls `desk.v1.Desk/Ask` once. */
  ask(block?: Partial<GrpcBlock>, options?: AskOptions): Promise<StepResponse>;
  readonly stop: AbortController;
}

export interface AskOptions {
  readonly timeoutMs?: number;
  readonly auth?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string | number>>;
  /** Of `desk.proto`, in place of `DESK`. */
  readonly schema?: string;
}

/** Makes a harness for `http://` or `https://` and a port on this machine. */
export function grpcHarness(
  url: string,
  caCerts: readonly string[] = [],
  time: Clock = systemClock,
): GrpcHarness {
  const wire = wireHarness(url, {
    tls: { caCerts: [...caCerts] },
    clock: time,
  });
  const { network } = wire;
  const stop = new AbortController();
  const scope: Scope = { variables: [], rows: [] };
  const context: AttemptContext = {
    iteration: 0,
    scope,
    connections: wire.connections,
    network,
    sessions: new Sessions(),
    deadlines: network.deadlines,
    signal: stop.signal,
    now: () => time.now(),
    sleep: (ms) => time.sleep(ms, stop.signal),
  };
  return {
    context,
    stop,
    async ask(block = {}, options = {}) {
      const {
        timeoutMs = 5_000,
        auth,
        env = {},
        variables = {},
        schema = DESK,
      } = options;
      const names = {
        variables: new Map(
          Object.keys(variables).map((name, at) => [name, at]),
        ),
        pools: new Map<string, number>(),
        env: new Map(Object.entries(env)),
      };
      scope.variables.splice(0, Infinity, ...Object.values(variables));
      const clock = { ...systemClock, wall: () => 1_000_000 };
      const tokens = createTokenSource({
        post: () => Promise.reject(new Error("no tokens here")),
        ...{ clock, signal: stop.signal },
        registerSecret: () => {},
      });
      const adapter = await grpc.open({
        proto: "desk.proto",
        method: "desk.v1.Desk/Ask",
        ...block,
      }, {
        names,
        base: parseBaseUrl(url),
        authorizer: auth && schemes.get(String(auth.scheme))!.prepare(
          auth,
          { names, clock, registerSecret: () => {}, tokens },
        ),
        timeoutMs,
        userAgent: "bench/test",
        seed: 1,
        position: 0,
        capture: "full",
        wall: () => 1_000_000,
        files: {
          directory: ".",
          readBytes: () => new TextEncoder().encode(schema),
        },
      });
      return await attempted(adapter, context);
    },
    async [Symbol.asyncDispose]() {
      wire.close();
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

export type Respond = (call: GrpcCall) => void;

/** A test that leaves nothing open. */
export function grpcTest(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name: `grpc ${name}`,
    ...STRICT,
    fn,
  });
}

/** One call to a server that responds in this way. */
export async function asked(
  respond: Respond,
  block: Partial<GrpcBlock> = {},
  options: AskOptions = {},
): Promise<{ response: StepResponse; call: GrpcCall }> {
  await using server = await grpcServer(respond);
  await using harness = grpcHarness(`http://127.0.0.1:${server.port}`);
  const got = await harness.ask(block, options);
  return { response: got, call: server.calls[0]! };
}

/** The server's good response. */
export function fine(call: GrpcCall): void {
  respond(call, textField("yes"));
}
