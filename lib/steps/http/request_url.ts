import {
  type Names,
  NO_SCOPE,
  type Scope,
} from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import {
  encodeQueryValue,
  type ResolvedUrl,
  resolveUrl,
} from "../../wire/net/url.ts";
import type { OpenTools } from "../protocol.ts";
import type { HttpBlock } from "./block.ts";
import { compileUrl } from "../url_template.ts";

type Pair = readonly [name: string, value: TextTemplate];

/** The URL of each attempt. */
interface PreparedUrl {
  (scope: Scope): ResolvedUrl;
  readonly constant: boolean;
}

/** The URL with the step's `query` and the auth scheme's parameter appended. */
export function prepareUrl(
  block: Pick<HttpBlock, "url" | "query">,
  tools: OpenTools,
): PreparedUrl {
  const url = compileUrl(block.url, tools.names);
  const pairs = [
    ...queryPairs(block.query, tools.names),
    ...tools.authorizer?.query ?? [],
  ].map(([name, value]): Pair => [encodeQueryValue(name), value]);
  const resolve = (scope: Scope): ResolvedUrl => {
    const resolved = locate(url.render(scope), tools);
    if (pairs.length === 0) return resolved;
    const added = pairs.map(([name, value]) =>
      `${name}=${encodeQueryValue(value.render(scope))}`
    ).join("&");
    const query = resolved.query === "" ? added : `${resolved.query}&${added}`;
    return { origin: resolved.origin, path: resolved.path, query };
  };
  const constant = url.constant !== undefined &&
    pairs.every(([, value]) => value.constant !== undefined);
  if (!constant) return Object.assign(resolve, { constant });
  const resolved = resolve(NO_SCOPE);
  return Object.assign(() => resolved, { constant });
}

/** A template can make a URL that is not one; that is the step's failure. */
function locate(rendered: string, { base }: OpenTools): ResolvedUrl {
  try {
    return resolveUrl(rendered, base);
  } catch (error) {
    throw new RequestError((error as Error).message);
  }
}

function queryPairs(query: HttpBlock["query"], names: Names): Pair[] {
  return Object.keys(query ?? {}).sort().flatMap((name) => {
    const value = query![name]!;
    const values = typeof value === "string" ? [value] : value;
    return values.map((each): Pair => [name, compileText(each, names)]);
  });
}
