import type { Registry } from "../language/flow/registry.ts";
import type { Step } from "../language/ir.ts";
import { schemes } from "./auth/registry.ts";
import { call } from "./http/call.ts";
import { graphql } from "./graphql/graphql.ts";
import { grpc } from "./grpc/grpc.ts";
import { poll } from "./poll.ts";
import { sendsRequest } from "../language/flow/kind.ts";
import type { Protocol } from "./protocol.ts";
import { wait } from "./wait.ts";
import { ws } from "./ws/ws.ts";

/**
 * Every action kind the tool knows: adding a protocol is one line here. The type of a
 * block stays private to its folder; sound because only that protocol's `block`
 * lets a block of its kind through.
 */
const known: readonly unknown[] = [
  call,
  graphql,
  grpc,
  poll,
  wait,
  ws,
];

/** Action kinds by key. */
export const protocols: ReadonlyMap<string, Protocol> = new Map(
  (known as readonly Protocol[]).map((protocol) => [protocol.kind, protocol]),
);

/** What the language is handed to read flows by. */
export const registry: Registry = { kinds: protocols, schemes };

/** How long a step makes its iteration wait, beside its requests, at the most. */
export function waitsUs({ kind, block }: Step): number {
  return protocols.get(kind)?.waitsUs?.(block) ?? 0;
}

/** Requests that one pass of a step makes at the most, retries left out. */
export function requestsOf({ kind, block }: Step): number {
  const protocol = protocols.get(kind);
  if (!protocol || !sendsRequest(protocol, block)) return 0;
  return protocol.maxAttempts?.(block) ?? 1;
}
