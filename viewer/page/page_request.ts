import type { Clock } from "../../lib/base/time/clock.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { TRACE_NUMBERS } from "../model/traces.ts";
import type { RunDirectory } from "../store/run_directory.ts";
import type { StoreIndex } from "../store/store_index.ts";

/** A request as a page sees it. */
export interface PageRequest {
  readonly url: URL;
  /** The parts of the path that a route names. */
  readonly params: Readonly<Record<string, string>>;
  readonly index: StoreIndex;
  readonly clock: Clock;
}

/** A request for something of one run, which is in the store. */
export interface RunRequest extends PageRequest {
  readonly meta: RunMeta;
  readonly run: RunDirectory;
}

/** A page: its title, its content and its status. */
export interface PageResponse {
  readonly status?: number;
  readonly title: string;
  readonly body: Markup;
  /** Tab of a run that this page is. */
  readonly run?: {
    readonly id: string;
    readonly tab: Tab;
    readonly live: boolean;
  };
}

export const TABS = [
  { tab: "overview", title: "Overview", path: "" },
  { tab: "traces", title: "Traces", path: "/traces" },
  { tab: "flame", title: "Flame graph", path: "/flame" },
  { tab: "failures", title: "Failures", path: "/failures" },
  { tab: "config", title: "Configuration", path: "/config" },
] as const;
type Tab = typeof TABS[number]["tab"];

/** `/runs/<id>` and what follows, with the id fit for a path. */
export function runPath(id: string, rest = ""): string {
  return `/runs/${encodeURIComponent(id)}${rest}`;
}

/** The page of two runs; without A the choice of it. */
export function comparePath(b: string, a?: string): string {
  const own = encodeURIComponent(b);
  return a === undefined
    ? `/compare?b=${own}`
    : `/compare?a=${encodeURIComponent(a)}&b=${own}`;
}

/** The page of a flow over its runs. */
export function flowPath(flow: string): string {
  return `/flows/${encodeURIComponent(flow)}`;
}

/** A path with a query, where there is one. */
export function withFilter(path: string, filter?: URLSearchParams): string {
  return filter && filter.size > 0 ? `${path}?${filter}` : path;
}

/**
 * The page of a trace.
 *
 * @param filter of the list it was found in
 */
export function tracePath(
  run: string,
  trace: string,
  filter?: URLSearchParams,
): string {
  return withFilter(
    runPath(run, `/traces/${encodeURIComponent(trace)}`),
    filter,
  );
}

/** The query with some fields changed; an empty value takes a field out. */
export function withQuery(
  url: URL,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams(url.searchParams);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return withFilter(url.pathname, query);
}

/** A number of the query; undefined when it is absent or none. */
export function numberOf(url: URL, name: string): number | undefined {
  const text = url.searchParams.get(name);
  if (text === null || text.trim() === "") return;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Parameters that choose traces, and their order. */
const CHOOSING = new Set([...TRACE_NUMBERS, "outcome", "step", "q", "sort"]);

/** The filter and the order of a list of traces, for all of its pages. */
export function listFilter({ searchParams }: URL): URLSearchParams {
  return new URLSearchParams(
    [...searchParams].filter(([name, value]) =>
      value !== "" && CHOOSING.has(name)
    ),
  );
}

/** The filter of a list of traces without its order, for what has an order of its own. */
export function traceFilter(url: URL): URLSearchParams {
  const filter = listFilter(url);
  filter.delete("sort");
  return filter;
}
