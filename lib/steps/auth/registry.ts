import { apiKey } from "./api_key.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import { cookie } from "./cookie.ts";
import { hmac } from "./hmac.ts";
import { none } from "./none.ts";
import { oauth2 } from "./oauth2.ts";
import type { JsonObject } from "../../base/values/json.ts";
import type { Scheme } from "./scheme.ts";

/**
 * Seals a scheme: the block type stays private to its file. Sound because only
 * that scheme's fields let a block through.
 */
function seal<Block extends JsonObject>(scheme: Scheme<Block>): Scheme {
  return scheme as unknown as Scheme;
}

const all: readonly Scheme[] = [
  seal(none),
  seal(bearer),
  seal(basic),
  seal(apiKey),
  seal(cookie),
  seal(oauth2),
  seal(hmac),
];

/** Every auth scheme by the word in `scheme`. A new one is a line above. */
export const schemes: ReadonlyMap<string, Scheme> = new Map(
  all.map((scheme) => [scheme.name, scheme]),
);
