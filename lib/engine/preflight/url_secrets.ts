import { parameterNamesCredential } from "../../language/source/credentials.ts";
import { type BaseUrl, resolveUrl } from "../../wire/net/url.ts";

/** Shorter ones, such as `/api/v1`, say nothing by themselves. */
const LEAST = 8;
const LEAST_OF_CREDENTIAL = 4;

/** An absolute URL, or any with a fragment: of others a request has the whole. */
const SENT_IN_PART = /^[a-z][a-z\d+.-]*:\/\/|#/i;

/**
 * The parts of a value of the environment that a request has by themselves where the
 * value is its URL: path and query, without the host and the fragment, and the
 * credentials among the parameters. The path of a base URL is no secret.
 */
export function urlSecrets(
  value: string,
  bases: readonly [BaseUrl, ...BaseUrl[]],
): string[] {
  if (!SENT_IN_PART.test(value)) return [];
  const parts = partsOf(value, bases[0]);
  if (!parts) return [];
  const { path, query } = parts;
  const bare = path.replace(/\/$/, "");
  const isWritten = bases.some((base) => base.path === bare);
  const credentials = [...new URLSearchParams(query)]
    .flatMap(([name, text]) => parameterNamesCredential(name) ? [text] : [])
    .filter((each) => each.length >= LEAST_OF_CREDENTIAL);
  const sent = [...isWritten ? [] : [bare], query]
    .filter((each) => each.length >= LEAST);
  return [...sent, ...credentials];
}

/** @returns undefined of a value that is no URL */
function partsOf(value: string, base: BaseUrl) {
  try {
    return resolveUrl(value, base);
  } catch {
    return undefined;
  }
}
