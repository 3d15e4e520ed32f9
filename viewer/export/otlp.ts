import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rootSpanId } from "../../lib/results/traces/trace_ids.ts";
import { jsonObject } from "./json_stream.ts";

type Scalar = string | number | boolean;

/** `SpanKind` and `StatusCode` of the protocol, by number. */
const KIND = { internal: 1, client: 3 } as const;
const ERROR = 2;

/**
 * The traces as OTLP/JSON (`TracesData`), one that a collector's file receiver
 * and tracing backends read: an iteration is a trace, with the ids it has
 * everywhere else. Names are those of the semantic conventions where they have
 * one, else they begin with `bench.`.
 */
export async function* otlp(
  meta: RunMeta,
  traces: AsyncIterable<Trace>,
): AsyncGenerator<string> {
  const startedAt = BigInt(Date.parse(meta.started_at)) * 1_000_000n;
  const resource = {
    attributes: attributes({
      "service.name": "bench",
      "service.version": meta.bench_version,
      "bench.run.id": meta.id,
      "bench.flow": meta.flow,
      "bench.target": meta.target,
      "bench.mode": meta.mode,
    }),
  };
  const scope = { name: "bench", version: meta.bench_version };
  yield `{"resourceSpans":[{"resource":${
    JSON.stringify(resource)
  },"scopeSpans":[`;
  yield* jsonObject({ scope }, [{ name: "spans", items: spans() }]);
  yield "]}]}\n";

  async function* spans() {
    for await (const trace of traces) {
      const root = rootOf(trace, startedAt);
      yield root;
      for (const span of trace.spans) {
        yield spanOf(span, trace, root.spanId, startedAt);
      }
    }
  }
}

/** The span of the iteration itself, above those of its steps. */
function rootOf(trace: Trace, startedAt: bigint) {
  const { trace_id, once, iteration, vu, row, row_name, values = [], outcome } =
    trace;
  return {
    traceId: trace_id,
    spanId: rootSpanId(trace_id),
    name: once ?? "iteration",
    kind: KIND.internal,
    ...times(trace, startedAt),
    attributes: attributes({
      "bench.iteration": iteration,
      "bench.vu": vu,
      ...(row !== undefined && { "bench.row": row }),
      ...(row_name !== undefined && { "bench.row_name": row_name }),
      ...Object.fromEntries(
        values.map(({ name, value }) => [`bench.value.${name}`, value]),
      ),
      "bench.outcome": outcome,
    }),
    ...(outcome === "failed" && { status: { code: ERROR } }),
  };
}

function spanOf(
  span: Span,
  { trace_id }: Trace,
  root: string,
  startedAt: bigint,
) {
  const { span_id, parent_id, name, kind, outcome, failure } = span;
  return {
    traceId: trace_id,
    spanId: span_id,
    parentSpanId: parent_id ?? root,
    name,
    kind: kind === "call" ? KIND.client : KIND.internal,
    ...times(span, startedAt),
    attributes: attributes({
      ...factsOf(span),
      ...(outcome && { "bench.outcome": outcome }),
      ...(failure && { "error.type": failure.code }),
    }),
    ...(failure && { status: { code: ERROR, message: failure.message } }),
  };
}

/** Facts by their names in the semantic conventions, where they have one. */
function factsOf({ attributes = {}, request }: Span): Record<string, Scalar> {
  const { origin, status, http_version, ...others } = attributes;
  const [method, target] = request?.line.split(" ") ?? [];
  // Only codes of gRPC have names.
  const code = others["status_name"] === undefined
    ? "http.response.status_code"
    : "rpc.grpc.status_code";
  return {
    ...(method && { "http.request.method": method }),
    ...(origin !== undefined && {
      "url.full": `${origin}${target?.startsWith("/") ? target : ""}`,
    }),
    ...(status !== undefined && { [code]: status }),
    ...(http_version !== undefined && {
      "network.protocol.version": http_version,
    }),
    ...Object.fromEntries(
      Object.entries(others).map(([key, value]) => [`bench.${key}`, value]),
    ),
  };
}

/** 64-bit numbers are strings in JSON. */
function times(
  { start_us, duration_us }: Pick<Span, "start_us" | "duration_us">,
  startedAt: bigint,
) {
  const start = startedAt + BigInt(Math.round(start_us)) * 1_000n;
  const end = start + BigInt(Math.round(duration_us)) * 1_000n;
  return { startTimeUnixNano: `${start}`, endTimeUnixNano: `${end}` };
}

function attributes(fields: Readonly<Record<string, Scalar>>) {
  return Object.entries(fields).map(([key, value]) => ({
    key,
    value: typeof value === "string"
      ? { stringValue: value }
      : typeof value === "boolean"
      ? { boolValue: value }
      : Number.isInteger(value)
      ? { intValue: String(value) }
      : { doubleValue: value },
  }));
}
