import { toThousandths } from "../../lib/base/values/numbers.ts";
import { isPartOf } from "../../lib/model/metrics.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { StepOutcomes } from "../../lib/model/result/series.ts";
import { heatMapOf } from "../chart/latency.tsx";
import { readable } from "../store/run_directory.ts";
import { chosenTraces, flameOf } from "../store/run_facts.ts";
import { differencesOf } from "../model/comparison.ts";
import type { Format } from "../model/formats.ts";
import { flameBoxes, nodeAt } from "../model/flame.ts";
import { filterRuns, parseFilter, sortRuns } from "../model/run_list.ts";
import { timelineOf, type TimelinePoint } from "../model/timeline.ts";
import { needsNotes, readStoredQuery, selectTraces } from "../model/traces.ts";
import {
  numberOf,
  type PageRequest,
  type RunRequest,
} from "../page/page_request.ts";
import {
  EXPORTED,
  misread,
  NO_PARAMETERS,
  PARAMETERS,
  type Parameters,
} from "./query.ts";
import {
  events,
  exportResponse,
  json,
  jsonText,
  part,
  refuse,
  reportResponse,
} from "./responses.ts";

type Endpoint = (request: PageRequest) => Response | Promise<Response>;
type RunEndpoint = (request: RunRequest) => Response | Promise<Response>;

/** Most runs in one response. */
const RUNS = 200;
const POINTS = 2_000;

/** The JSON API (docs/http-api.md), and what is neither page nor JSON. */
export const API: Readonly<Record<string, Endpoint>> = {
  "/healthz": () => json({ ok: true }),
  "/api/v1/runs": reading(PARAMETERS.runs, runs),
  "/api/v1/runs/:run": whole(({ meta }) => json(meta)),
  "/api/v1/runs/:run/flow": whole(async ({ run }) => {
    const flow = await run.flow();
    return flow.value === undefined ? part(flow) : jsonText(flow.value);
  }),
  "/api/v1/runs/:run/series": ofRun(reading(PARAMETERS.series, series)),
  "/api/v1/runs/:run/heatmap": ofRun(reading(PARAMETERS.heatmap, heat)),
  "/api/v1/runs/:run/histogram": ofRun(
    reading(PARAMETERS.histogram, histogram),
  ),
  "/api/v1/runs/:run/steps": whole(({ meta }) => json({ steps: meta.steps })),
  "/api/v1/runs/:run/failures": whole(({ meta }) =>
    json({ failures: meta.failures })
  ),
  "/api/v1/runs/:run/traces": ofRun(reading(PARAMETERS.traces, traces)),
  "/api/v1/runs/:run/traces/:trace": whole(async ({ params, run }) =>
    part(await run.trace(params.trace!))
  ),
  "/api/v1/runs/:run/flame": ofRun(reading(PARAMETERS.flame, flame)),
  "/api/v1/runs/:run/agent": whole(agent),
  "/api/v1/runs/:run/events": whole(events),
  "/api/v1/compare": reading(PARAMETERS.compare, compare),
  "/runs/:run/report.html": ofRun(reading(EXPORTED.html, reportResponse)),
  "/runs/:run/export/:format": ofRun((request) => {
    const { format = "" } = request.params;
    // One that there is not is refused as such.
    if (!Object.hasOwn(EXPORTED, format)) return exportResponse(request);
    return reading(EXPORTED[format as Format], exportResponse)(request);
  }),
};

/** An endpoint that has no parameters. */
function whole(endpoint: RunEndpoint): Endpoint {
  return ofRun(reading(NO_PARAMETERS, endpoint));
}

/** An endpoint that refuses a query which it cannot read. */
function reading<Request extends PageRequest>(
  parameters: Parameters,
  endpoint: (request: Request) => Promise<Response> | Response,
): (request: Request) => Promise<Response> | Response {
  return (request) => {
    const why = misread(request.url.searchParams, parameters);
    return why === undefined
      ? endpoint(request)
      : refuse(400, "bad-query", why);
  };
}

function ofRun(endpoint: RunEndpoint): Endpoint {
  return async (request) => {
    const listed = await request.index.find(request.params.run!);
    if (!listed) return refuse(404, "not-found", "the store has no such run");
    if (!listed.meta) {
      const [status, code] = listed.incomplete
        ? [404, "incomplete"] as const
        : [500, "unreadable"] as const;
      return refuse(status, code, listed.error ?? "");
    }
    const run = request.index.open(listed);
    return endpoint({ ...request, meta: listed.meta, run });
  };
}

async function runs({ url, index }: PageRequest): Promise<Response> {
  const all = await index.list();
  const terms = parseFilter(url.searchParams.get("q") ?? "");
  const found = sortRuns(
    filterRuns(all, terms),
    url.searchParams.get("sort") ?? "",
  );
  const page = numberOf(url, "page") ?? 1;
  const from = (page - 1) * RUNS;
  return json({
    total: found.length,
    page,
    pages: Math.max(1, Math.ceil(found.length / RUNS)),
    runs: found.slice(from, from + RUNS).map(({ id, meta, error }) =>
      meta ? { ...meta, rows: undefined, failures: undefined } : { id, error }
    ),
  });
}

async function series(
  { url, meta, run }: RunRequest,
): Promise<Response> {
  const before = await run.warmUp(meta);
  return part(await run.series(), (seconds) => {
    const from = numberOf(url, "t0");
    const { width, points } = timelineOf(seconds, {
      from,
      to: numberOf(url, "t1"),
      most: Math.min(POINTS, numberOf(url, "points") ?? 600),
      durationMs: meta.duration_ms,
    });
    const ofFlows = withFlows(meta);
    const warmUp = { from: -Infinity, width, durationMs: meta.duration_ms };
    return {
      width_s: width,
      points: points.map(ofFlows),
      // A part of the time is one of what is measured.
      ...(before.length > 0 && from === undefined && {
        warm_up: timelineOf(before, warmUp).points.map(ofFlows),
      }),
    };
  });
}

/** Adds what the steps of each flow of a mix did to a point. */
function withFlows(
  { flows = [], steps }: RunMeta,
): (point: TimelinePoint) => TimelinePoint & { flows?: StepOutcomes[] } {
  if (flows.length === 0) return (point) => point;
  const flowOf = steps.map(({ id }) =>
    flows.findIndex(({ name }) => isPartOf(id, name))
  );
  return (point) => {
    const sums = flows.map((_, flow): [...StepOutcomes] => [flow, 0, 0, 0]);
    for (const [step, ...counts] of point.steps) {
      const sum = sums[flowOf[step] ?? -1];
      if (sum) counts.forEach((count, i) => sum[i + 1]! += count);
    }
    return {
      ...point,
      flows: sums.filter(([, ...counts]) => counts.some((each) => each > 0)),
    };
  };
}

async function heat(
  { url, run }: RunRequest,
): Promise<Response> {
  const from = numberOf(url, "t0") ?? 0;
  const to = numberOf(url, "t1") ?? Infinity;
  return part(
    await run.series(),
    (seconds) => heatMapOf(seconds.filter(({ t }) => t >= from && t < to)),
  );
}

async function histogram(
  { url, run }: RunRequest,
): Promise<Response> {
  const step = url.searchParams.get("step") || undefined;
  const percents = (url.searchParams.get("q") || "50,90,95,99,99.9,100")
    .split(",").map(Number).filter((p) => p > 0 && p <= 100).slice(0, 100);
  return part(await run.latencies(step), (set) => {
    const shape = (latency: typeof set.service) => {
      const known = (ms: number) => latency.count === 0 ? null : ms;
      return {
        count: latency.count,
        min_ms: known(latency.min),
        avg_ms: known(toThousandths(latency.avg)),
        max_ms: known(latency.max),
        percentiles_ms: Object.fromEntries(
          percents.map((p) => [p, known(latency.percentile(p))]),
        ),
      };
    };
    return {
      service: shape(set.service),
      response: shape(set.response),
      throttled: shape(set.throttled),
    };
  });
}

async function traces(
  { url, run }: RunRequest,
): Promise<Response> {
  const query = readStoredQuery(url.searchParams);
  const digest = needsNotes(query) ? await run.digest() : {};
  const { value: entries, error } = await run.entries();
  const value = entries && selectTraces(entries, digest.value?.notes, query);
  if (value?.isLost) {
    const why = "`cursor` must be the `next_cursor` of a page of these traces";
    return refuse(400, "bad-query", why);
  }
  return part({ value, error }, ({ total, next, entries }) => ({
    total,
    next_cursor: next ?? null,
    traces: entries.map(({ offset: _o, length: _l, ...rest }) => rest),
  }));
}

async function flame(
  { url, run }: RunRequest,
): Promise<Response> {
  const path = url.searchParams.getAll("at");
  return part(
    await readable(async () => {
      const { root, traces, spans } = await flameOf(
        run,
        await chosenTraces(run, url.searchParams, readStoredQuery),
      );
      const top = nodeAt(root, path);
      return top && {
        traces,
        spans,
        boxes: flameBoxes(top, path).map((
          { total, self, bad, ...box },
        ) => ({ ...box, total_us: total, self_us: self, bad_us: bad })),
      };
    }),
  );
}

async function agent(
  { run }: RunRequest,
): Promise<Response> {
  return part(
    await run.agent(),
    (points) => ({ points }),
  );
}

async function compare({ url, index }: PageRequest): Promise<Response> {
  const ids = ["a", "b"].map((name) => url.searchParams.get(name) ?? "");
  const [a, b] = await Promise.all(ids.map((id) => index.find(id)));
  if (!a?.meta || !b?.meta) {
    return refuse(404, "not-found", "the store has no such pair of runs");
  }
  const { otherFlow, otherName, ...rest } = await differencesOf(
    { meta: a.meta, run: index.open(a) },
    { meta: b.meta, run: index.open(b) },
  );
  return json({
    a: a.id,
    b: b.id,
    other_flow: otherFlow,
    other_name: otherName,
    ...rest,
  });
}
