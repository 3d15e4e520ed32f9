import { apiKey } from "./api_key.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import { cookie } from "./cookie.ts";
import { hmac } from "./hmac.ts";
import { none } from "./none.ts";
import { oauth2 } from "./oauth2.ts";
import type { Scheme } from "./scheme.ts";

// The type of a block stays private to its file. Sound because only that scheme's
// fields let a block through.
const all: readonly unknown[] = [
  none,
  bearer,
  basic,
  apiKey,
  cookie,
  oauth2,
  hmac,
];

/** Every auth scheme by the word in `scheme`. A new one is a line above. */
export const schemes: ReadonlyMap<string, Scheme> = new Map(
  (all as readonly Scheme[]).map((scheme) => [scheme.name, scheme]),
);
