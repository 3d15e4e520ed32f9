import type { JsonObject } from "../base/values/json.ts";
import { call } from "./http/call.ts";
import { graphql } from "./graphql/graphql.ts";
import { grpc } from "./grpc/grpc.ts";
import { poll } from "./poll.ts";
import type { Protocol } from "./protocol.ts";
import { wait } from "./wait.ts";
import { ws } from "./ws/ws.ts";

/**
 * Seals a protocol: the block type stays private to its file. Sound because
 * only that protocol's `parse` and `schema` let a block of its kind through.
 */
function seal<Block extends JsonObject>(protocol: Protocol<Block>): Protocol {
  return protocol as unknown as Protocol;
}

/** Every action kind the tool knows. Adding a protocol is one line here. */
const known: readonly Protocol[] = [
  seal(call),
  seal(graphql),
  seal(grpc),
  seal(poll),
  seal(wait),
  seal(ws),
];

/** Action kinds by key. */
export const protocols: ReadonlyMap<string, Protocol> = new Map(
  known.map((protocol) => [protocol.kind, protocol]),
);
