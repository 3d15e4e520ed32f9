import { child } from "../../../lib/base/values/pointer.ts";
import {
  bodyOf,
  cookiesIn,
  type HttpRequest,
  type RequestBody,
} from "../draft/http_request.ts";
import {
  type JsonLeaf,
  leavesOf,
  withLeaves,
} from "../../../lib/base/values/json_leaves.ts";
import type { Exchange } from "./har_file.ts";

/** A place in a request that holds a value. */
export interface Slot {
  /** `path/2`, `query/q/0`, `cookie/sid`, `header/x-a`, `bearer`, `body/items/0/id`. */
  readonly at: string;
  readonly kind: "path" | "query" | "cookie" | "header" | "bearer" | "body";
  /** What the value is called there. */
  readonly key: string;
  /** The names that lead to a value of a body. */
  readonly path?: readonly (string | number)[];
  readonly value: string | number;
}

/** Every place of a request that a value from elsewhere may be in. */
export function slotsOf(exchange: Exchange): Slot[] {
  const slots: Slot[] = [];
  const { url, headers } = exchange;
  url.pathname.split("/").forEach((part, index, all) => {
    if (part === "") return;
    const key = all[index - 1] ?? "";
    slots.push({
      at: `path/${index}`,
      kind: "path",
      key,
      value: decoded(part),
    });
  });
  [...url.searchParams].forEach(([key, value], index) => {
    slots.push({ at: `query/${index}`, kind: "query", key, value });
  });
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (lower === "cookie") {
      for (const [key, each] of cookiesIn(value)) {
        slots.push({ at: `cookie/${key}`, kind: "cookie", key, value: each });
      }
    } else if (lower === "authorization") {
      const token = /^(?:bearer|token|jwt)\s+(.+)$/i.exec(value)?.[1];
      if (token === undefined) continue;
      slots.push({ at: "bearer", kind: "bearer", key: "token", value: token });
    } else {
      slots.push({ at: `header/${lower}`, kind: "header", key: name, value });
    }
  }
  const body = sentBody(exchange);
  if (!body || !("json" in body)) return slots;
  for (const leaf of leavesOf(body.json)) {
    const { value, key, path } = leaf;
    if (typeof value !== "string" && typeof value !== "number") continue;
    slots.push({ at: placeOf(leaf), kind: "body", key, path, value });
  }
  return slots;
}

function placeOf({ path }: JsonLeaf): string {
  return path.reduce<string>(child, "body");
}

function sentBody({ body }: Exchange): RequestBody | undefined {
  return body && bodyOf(body.text, body.type);
}

/**
 * The request with other values in some of its places.
 *
 * @param templates by place; `url` replaces all of the URL
 */
export function withTemplates(
  exchange: Exchange,
  templates: ReadonlyMap<string, string>,
): HttpRequest {
  const { method, url, headers } = exchange;
  const sent = sentBody(exchange);
  const whole = templates.get("url");
  return {
    method,
    url: whole ?? urlWith(url, templates),
    origin: url.origin,
    headers: headers.filter(([name]) => !FROM_BROWSERS.test(name)).map((
      [name, value],
    ): [string, string] => [name, headerWith(name, value, templates)]),
    ...(sent && {
      body: "json" in sent
        ? {
          json: withLeaves(
            sent.json,
            (leaf) => templates.get(placeOf(leaf)) ?? leaf.value,
          ),
        }
        : sent,
    }),
  };
}

/** What a browser says of itself and of the page it is on. */
const FROM_BROWSERS =
  /^(?:user-agent|accept-language|accept-encoding|referer|origin|cache-control|connection|content-length|host|pragma|sec-.*|upgrade-insecure-requests|dnt|priority|te|if-none-match|if-modified-since|x-requested-with-page)$/i;

function urlWith(url: URL, templates: ReadonlyMap<string, string>): string {
  const path = url.pathname.split("/")
    .map((part, index) => templates.get(`path/${index}`) ?? part).join("/");
  const raw = url.search.slice(1).split("&").filter((each) => each !== "");
  const query = raw.map((part, index) => {
    const template = templates.get(`query/${index}`);
    return template === undefined ? part : `${part.split("=")[0]}=${template}`;
  });
  return url.origin + path + (query.length > 0 ? `?${query.join("&")}` : "");
}

function headerWith(
  name: string,
  value: string,
  templates: ReadonlyMap<string, string>,
): string {
  const lower = name.toLowerCase();
  if (lower === "authorization") {
    const template = templates.get("bearer");
    return template === undefined
      ? value
      : `${value.split(/\s/)[0]} ${template}`;
  }
  if (lower !== "cookie") return templates.get(`header/${lower}`) ?? value;
  return cookiesIn(value).map(([key, each]) =>
    `${key}=${templates.get(`cookie/${key}`) ?? each}`
  ).join("; ");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
