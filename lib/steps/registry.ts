import { type Registry, sendsRequest } from "../language/flow/registry.ts";
import type { Step } from "../language/ir.ts";
import { call } from "./http/call.ts";
import { graphql } from "./graphql/graphql.ts";
import { grpc } from "./grpc/grpc.ts";
import { poll } from "./poll.ts";
import type { Protocol } from "./protocol.ts";
import { wait } from "./wait.ts";
import { ws } from "./ws/ws.ts";
import { apiKey } from "./auth/api_key.ts";
import { basic } from "./auth/basic.ts";
import { bearer } from "./auth/bearer.ts";
import { cookie } from "./auth/cookie.ts";
import { hmac } from "./auth/hmac.ts";
import { none } from "./auth/none.ts";
import { oauth2 } from "./auth/oauth2.ts";
import type { Scheme } from "./auth/scheme.ts";

/*
 * Every action kind and every auth scheme the tool knows: a new one is an import
 * and a line. The type of a block stays private to its file; sound because only the
 * fields of its own kind or scheme let a block through.
 */
const KINDS: readonly unknown[] = [
  call,
  graphql,
  grpc,
  poll,
  wait,
  ws,
];
const SCHEMES: readonly unknown[] = [
  none,
  bearer,
  basic,
  apiKey,
  cookie,
  oauth2,
  hmac,
];

/** Action kinds by key. */
export const protocols: ReadonlyMap<string, Protocol> = new Map(
  (KINDS as readonly Protocol[]).map((each) => [each.kind, each]),
);

/** Auth schemes by the word in `scheme`. */
export const schemes: ReadonlyMap<string, Scheme> = new Map(
  (SCHEMES as readonly Scheme[]).map((each) => [each.name, each]),
);

/** The kinds and schemes that the language reads flows by. */
export const registry: Registry = { kinds: protocols, schemes };

/** How long a step makes its iteration wait, beside its requests. */
export function waitsUs(
  { kind, block }: Step,
): readonly [least: number, most: number] {
  return protocols.get(kind)?.waitsUs?.(block) ?? [0, 0];
}

/** Requests that one pass of a step makes at the most, retries left out. */
export function requestsOf({ kind, block }: Step): number {
  const protocol = protocols.get(kind);
  if (!protocol || !sendsRequest(protocol, block)) return 0;
  return protocol.maxAttempts?.(block) ?? 1;
}
