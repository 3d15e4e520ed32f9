import type { Clock } from "../../lib/base/time/clock.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../lib/base/values/json.ts";

/** A request as a handler sees it. */
export interface RequestContext {
  readonly request: Request;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the `?`. */
  readonly query: string;
  /** The text that matched `*`; empty in a route without one. */
  readonly rest: string;
  readonly clock: Clock;
}

export type Handler = (context: RequestContext) => Response | Promise<Response>;

/** Handlers by `METHOD /path`; a path may end in `/*` for one more segment. */
export type Routes = Readonly<Record<string, Handler>>;

/** A parameter of the query; NaN for text that is no number. */
export function numberIn(
  query: string,
  name: string,
  otherwise: number,
): number {
  return Number(new URLSearchParams(query).get(name) || otherwise);
}

/** Finds the handler of a request: two map look-ups at most. */
export interface RouteTable {
  /** Undefined when no path fits; a list of methods when only the method does not. */
  find(
    method: string,
    path: string,
  ):
    | { readonly handler: Handler; readonly rest: string }
    | readonly string[]
    | undefined;
}

/** Builds the table; a path that two routes name is an error. */
export function routeTable(...all: readonly Routes[]): RouteTable {
  const paths = new Map<string, Map<string, Handler>>();
  for (const [route, handler] of all.flatMap((each) => Object.entries(each))) {
    const [method = "", path = ""] = route.split(" ");
    const methods = paths.get(path) ?? new Map<string, Handler>();
    if (methods.has(method)) throw new Error(`two routes for ${route}`);
    paths.set(path, methods.set(method, handler));
  }
  return {
    find(method, path) {
      const exact = paths.get(path);
      const slash = path.lastIndexOf("/");
      const methods = exact ?? paths.get(`${path.slice(0, slash)}/*`);
      if (!methods) return undefined;
      const handler = methods.get(method);
      return handler
        ? { handler, rest: exact ? "" : path.slice(slash + 1) }
        : [...methods.keys()];
    },
  };
}

/** A JSON response. */
export function jsonResponse(
  status: number,
  value: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(value, { status, headers });
}

/** An error response: `{"error": ...}`. */
export function refuse(
  status: number,
  error: string,
  headers?: Readonly<Record<string, string>>,
): Response {
  return jsonResponse(status, { error }, headers);
}

/** The request's body as a JSON object; undefined when it is not one. */
export async function readObject(
  request: Request,
): Promise<JsonObject | undefined> {
  try {
    const value: unknown = await request.json();
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
