import type { CapturedMessage } from "../../lib/model/result/response.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rowText } from "../../lib/results/report/figures.ts";
import type { TraceEntry } from "../../lib/results/store/trace_index.ts";
import { rootsOf } from "../model/waterfall.ts";
import { harEntry } from "./har_entry.ts";
import { jsonObject } from "./json_stream.ts";
import { momentAt } from "../model/words.ts";

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

/** A frame as browsers write it into a HAR log. */
interface SocketMessage {
  readonly type: "send" | "receive";
  /** Seconds since the epoch. */
  readonly time: number;
  /** 1 for text, 2 for binary (RFC 6455 section 5.2). */
  readonly opcode: 1 | 2;
  readonly data: string;
}

/**
 * The frames of the session that `handshake` opened, until its trace ends.
 *
 * @param roots the span of the step that every span belongs to
 */
function socketMessages(
  spans: readonly Span[],
  handshake: Span,
  roots: ReadonlyMap<string, Span>,
  startedAt: number,
): SocketMessage[] {
  const sessionOf = ({ span_id }: Span) =>
    roots.get(span_id)?.attributes?.session;
  const session = sessionOf(handshake);
  if (session === undefined) return [];
  return spans.filter((span) =>
    span.name === "frames" && sessionOf(span) === session
  ).flatMap((span) => {
    const at = (us: number) => (startedAt + us / 1_000) / 1_000;
    return [
      ...frame("send", span.request, at(span.start_us)),
      ...frame("receive", span.response, at(span.start_us + span.duration_us)),
    ];
  });
}

function frame(
  type: SocketMessage["type"],
  message: CapturedMessage | undefined,
  time: number,
): SocketMessage[] {
  if (message?.body === undefined || !message.line.endsWith(" frame")) {
    return [];
  }
  const binary = message.body_encoding === "base64";
  return [{ type, time, opcode: binary ? 2 : 1, data: message.body }];
}
