import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rowText } from "../../lib/results/report/figures.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { harEntry } from "./har_entry.ts";
import { socketMessages } from "./har_socket.ts";
import { jsonObject } from "./json_stream.ts";
import { momentAt } from "./moment.ts";

/** What the log is made of. */
interface ExchangeParts {
  readonly entries: readonly TraceEntry[];
  readonly traces: AsyncIterable<Trace>;
}

/**
 * Every exchange of the traces as a HAR 1.2 log: an iteration is a page, an
 * exchange an entry. What HAR has no word for is in fields that begin with an
 * underscore, as its section 2.2 wants.
 */
export async function* har(
  meta: RunMeta,
  { entries, traces }: ExchangeParts,
): AsyncGenerator<string> {
  const startedAt = Date.parse(meta.started_at);
  yield '{"log":';
  yield* jsonObject(
    {
      version: "1.2",
      creator: { name: "bench", version: meta.bench_version },
      comment: `${meta.flow} against ${meta.target}, run ${meta.id}`,
    },
    [
      { name: "pages", items: pages(entries, startedAt) },
      { name: "entries", items: exchanges() },
    ],
  );
  yield "}\n";

  async function* exchanges() {
    for await (const trace of traces) {
      const roots = rootsOf(trace.spans);
      const below = Map.groupBy(trace.spans, (span) => span.parent_id);
      for (const span of trace.spans) {
        if (!span.request || span.name !== "http_call") continue;
        const step = roots.get(span.span_id)?.name ?? span.name;
        const messages = socketMessages(
          trace.spans,
          span,
          roots,
          startedAt,
        );
        yield {
          pageref: trace.trace_id,
          ...harEntry(span, below.get(span.span_id) ?? [], startedAt),
          _step: step,
          ...(messages.length > 0 && { _webSocketMessages: messages }),
        };
      }
    }
  }
}

function* pages(
  entries: readonly TraceEntry[],
  startedAt: number,
): Generator<object> {
  for (const entry of entries) {
    const row = entry.row === null ? "" : `, ${rowText(entry.row)}`;
    yield {
      startedDateTime: momentAt(startedAt, entry.start_us),
      id: entry.trace_id,
      title: `iteration ${entry.iteration + 1}${row}, ${entry.outcome}`,
      pageTimings: { onContentLoad: -1, onLoad: entry.duration_us / 1_000 },
    };
  }
}

/** The span of the step that each span belongs to. */
function rootsOf(spans: readonly Span[]): ReadonlyMap<string, Span> {
  const roots = new Map<string, Span>();
  for (const span of spans) {
    // Parents are written before their children.
    const root = span.parent_id === undefined
      ? span
      : roots.get(span.parent_id) ?? span;
    roots.set(span.span_id, root);
  }
  return roots;
}
