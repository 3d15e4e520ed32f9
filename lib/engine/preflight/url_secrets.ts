import { ifPossible } from "../../base/values/if_possible.ts";
import { parameterNamesCredential } from "../../language/source/credentials.ts";
import { parseTemplate } from "../../language/expressions/template.ts";
import { templateErrors } from "../../language/fields/templates.ts";
import type { RunFlow } from "../../language/ir.ts";
import { flowUrls } from "../../language/validate/urls.ts";
import { registry } from "../../steps/registry.ts";
import { splitUrl } from "../../wire/net/origin.ts";
import { type BaseUrl, resolveUrl } from "../../wire/net/url.ts";

/** Shorter ones, such as `/api/v1`, say nothing by themselves. */
const LEAST = 8;
const LEAST_OF_CREDENTIAL = 4;

/** An absolute URL, or any with a fragment: of others a request has the whole. */
const SENT_IN_PART = /^[a-z][a-z\d+.-]*:\/\/|#/i;

/** A URL up to a value that is in its host or port. */
const IN_AUTHORITY = /^([a-z][a-z\d+.-]*:\/\/)[^/?#]*$/i;

/**
 * The parts of values of the environment that a request or a refusal of it has by
 * themselves where a value is its URL, or begins in the host of one: host, path and query,
 * without the fragment, and the credentials among the parameters. Host and path of a base
 * URL are no secrets.
 */
export function urlSecrets(
  env: ReadonlyMap<string, string>,
  flows: readonly Pick<RunFlow, "flow">[],
  bases: readonly [BaseUrl, ...BaseUrl[]],
): string[] {
  return [
    ...[...env.values()].filter((value) => SENT_IN_PART.test(value)),
    ...flows.flatMap(({ flow }) => flowUrls(flow, registry))
      .flatMap((url) => fromHosts(url, env)),
  ].flatMap((url) => secretParts(url, bases));
}

/** The values that begin in the host of a URL, as URLs of their own. */
function fromHosts(
  url: string,
  env: ReadonlyMap<string, string>,
): readonly string[] {
  if (templateErrors(url).length > 0) return [];
  const found: string[] = [];
  let before = "";
  for (const part of parseTemplate(url)) {
    const [, scheme] = IN_AUTHORITY.exec(before) ?? [];
    if (typeof part === "string") before += part;
    else if (part.root !== "env") break;
    else {
      const value = env.get(part.path.join(".")) ?? "";
      before += value;
      if (scheme !== undefined) found.push(scheme + value);
    }
  }
  return found;
}

function secretParts(
  url: string,
  bases: readonly [BaseUrl, ...BaseUrl[]],
): string[] {
  const parts = ifPossible(() => resolveUrl(url, bases[0]), undefined);
  if (!parts) return refusedHost(url);
  const { origin: { host }, path, query } = parts;
  const bare = path.replace(/\/$/, "");
  const isWritten = bases.some((base) => base.path === bare);
  const isListed = bases.some(({ origin }) => origin.host.includes(host));
  const credentials = [...new URLSearchParams(query)]
    .flatMap(([name, text]) => parameterNamesCredential(name) ? [text] : [])
    .filter((each) => each.length >= LEAST_OF_CREDENTIAL);
  const sent = [...isWritten ? [] : [bare], query]
    .filter((each) => each.length >= LEAST);
  return [...isListed ? [] : [host], ...sent, ...credentials];
}

/** The host of a URL that cannot be sent, as its refusal may quote it. */
function refusedHost(url: string): string[] {
  const { authority = "" } = splitUrl(url) ?? {};
  return authority === "" ? [] : [authority, authority.replace(/:[^:]*$/, "")];
}
