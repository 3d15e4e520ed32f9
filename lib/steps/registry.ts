import type { JsonObject } from "../base/values/json.ts";
import type { Step } from "../model/ir/flow.ts";
import { call } from "./http/call.ts";
import { graphql } from "./graphql/graphql.ts";
import { grpc } from "./grpc/grpc.ts";
import { poll } from "./poll.ts";
import { type Protocol, sendsRequest } from "./protocol.ts";
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

/** How long a step makes its iteration wait, beside its requests, at the most. */
export function waitsUs({ kind, block }: Step): number {
  return protocols.get(kind)?.waitsUs?.(block) ?? 0;
}

/** Whether a step makes requests. */
export function sendsRequests({ kind, block }: Step): boolean {
  const protocol = protocols.get(kind);
  return protocol !== undefined && sendsRequest(protocol, block);
}
