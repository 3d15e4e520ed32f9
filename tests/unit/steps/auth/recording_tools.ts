import type {
  AuthTools,
  RequestDraft,
  Scheme,
  TokenRequest,
} from "../../../../lib/steps/auth/scheme.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";
import type { Scope } from "../../../../lib/language/expressions/template.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

/** What the IR has for the keys of a scheme that a flow leaves out. */
export function defaultsOf<Block extends JsonObject>(
  { fields }: Scheme<Block>,
): Block {
  const found = Object.entries(fields)
    .filter(([, { fallback }]) => fallback !== undefined)
    .map(([key, { fallback }]) => [key, fallback]);
  return Object.fromEntries(found) as Block;
}

/** Auth tools that remember what they were asked for. */
export interface RecordingTools extends AuthTools {
  readonly clock: ManualClock;
  readonly secrets: string[];
  readonly fetched: TokenRequest[];
  /** When the requests were sent whose token was refused. */
  readonly refused: number[];
  /** The token in hand; undefined makes the next request fetch `next`. */
  held: string | undefined;
  next: string;
}

/** Tools with the environment `env`, a variable `token` and a pool `user`. */
export function recordingTools(
  env: Readonly<Record<string, string>> = {},
): RecordingTools {
  const tools: RecordingTools = {
    names: {
      variables: new Map([["token", 0]]),
      pools: new Map([["user", 0]]),
      env: new Map(Object.entries(env)),
    },
    clock: new ManualClock(0),
    secrets: [],
    fetched: [],
    refused: [],
    held: undefined,
    next: "fetched-1",
    registerSecret: (value) => void tools.secrets.push(value),
    tokens: {
      current: () => tools.held,
      fetch(request) {
        tools.fetched.push(request);
        tools.held = tools.next;
        return Promise.resolve(tools.next);
      },
      refused: (_, sentAt) => void tools.refused.push(sentAt),
    },
  };
  return tools;
}

/** What one VU knows: an extracted `token` and a row of `user`. */
export function scopeOf(
  token?: string,
  row: Readonly<Record<string, string>> = {},
): Scope {
  const cells = new Map(
    Object.entries(row).map(([column, text]) => [column, { text }]),
  );
  return { variables: [token], rows: [cells] };
}

/** A request about to be sent. */
export function draftOf(change: Partial<RequestDraft> = {}): RequestDraft {
  return {
    method: "GET",
    path: "/",
    query: "",
    body: new Uint8Array(),
    ...change,
  };
}
