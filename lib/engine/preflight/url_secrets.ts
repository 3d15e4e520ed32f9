import { parameterNamesCredential } from "../../language/source/credentials.ts";
import { type BaseUrl, resolveUrl } from "../../wire/net/url.ts";

/** Shorter ones, such as `/v1`, say nothing by themselves. */
const LEAST = 4;

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
  const sent = partsOf(value, bases[0]);
  if (!sent) return [];
  const { path, query } = sent;
  const bare = path.replace(/\/$/, "");
  const isWritten = bases.some((base) => base.path === bare);
  const credentials = [...new URLSearchParams(query)]
    .flatMap(([name, text]) => parameterNamesCredential(name) ? [text] : []);
  return [...isWritten ? [] : [bare], query, ...credentials]
    .filter((each) => each.length >= LEAST);
}

/** @returns undefined of a value that is no URL */
function partsOf(value: string, base: BaseUrl) {
  try {
    return resolveUrl(value, base);
  } catch {
    return undefined;
  }
}
