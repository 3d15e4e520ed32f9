import { type Part, readable } from "../store/run_directory.ts";
import { EXPORTS, inBlocks } from "../export/exports.ts";
import { FORMATS, NAMED_FORMATS } from "../model/formats.ts";
import type { RunRequest } from "../page/page_request.ts";
import { readMeta } from "../../lib/results/store/reader.ts";

/** A JSON response. */
export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status });
}

/** JSON that is text already, as it is stored. */
export function jsonText(text: string): Response {
  return new Response(text, {
    headers: { "content-type": "application/json" },
  });
}

/** An error in JSON. */
export function refuse(
  status: number,
  code: string,
  message: string,
): Response {
  return json({ error: { code, message } }, status);
}

/** A part of a run as `shape` gives it, or why there is none. */
export function part<T>(
  { value, error }: Part<T>,
  shape = (v: T): unknown => v,
): Response {
  if (error !== undefined) return refuse(500, "unreadable", error);
  return value === undefined
    ? refuse(404, "not-found", "the run has no such file or entry")
    : json(shape(value));
}

/** The run in one of its forms, to take along; written while it is made. */
export async function exportResponse(
  { url, params, meta, run }: RunRequest,
): Promise<Response> {
  const found = NAMED_FORMATS.find(([name]) => name === params.format);
  if (!found) {
    const known = Object.keys(FORMATS).join(", ");
    return refuse(404, "not-found", `a run can be had as ${known}`);
  }
  const [format, { type, ending, suffix = ending }] = found;
  const make = EXPORTS[format];
  const options = {
    query: url.searchParams,
    payloads: url.searchParams.get("payloads") !== "no",
  };
  // A trace that cannot be read would break a response that began with 200: it
  // is made to its end first, and again where it is too long to be held.
  const trace = url.searchParams.get("trace");
  const first = await readable(async () => {
    if (trace && (await run.entriesOf(trace)).length === 0) return;
    const made = await make(meta, run, options);
    return made && await wholeOf(inBlocks(made));
  });
  if (!first.value) return part(first);
  const pieces = first.value === "long"
    ? inBlocks(await make(meta, run, options) ?? [])
    : first.value;
  const name = `${meta.id.replaceAll(/[^\w.-]/g, "_")}${suffix}`;
  const body = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
  return new Response(body, {
    headers: {
      "content-type": type,
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}

/** Characters of an export that are held until all of it is made. */
const MOST_HELD = 8 * 1024 * 1024;

/** All of a text, unless it is too long to be held. */
async function wholeOf(
  pieces: AsyncIterable<string>,
): Promise<readonly string[] | "long"> {
  const held: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length <= MOST_HELD) held.push(piece);
  }
  return length <= MOST_HELD ? held : "long";
}

/** The report file, under the name that pages link to. */
export function reportResponse(request: RunRequest): Promise<Response> {
  return exportResponse({ ...request, params: { format: "html" } });
}

/** How often the files of a run that is going on are looked at. */
const EVERY_MS = 1_000;

/**
 * Server-sent events of a run: `progress` once a second while its files grow,
 * `end` when it is over. The stream ends with the run or with the reader.
 */
export function events(
  { clock, meta, run }: RunRequest,
): Response {
  const gone = new AbortController();
  const stop = () => gone.abort();
  const encoder = new TextEncoder();
  const began = Date.parse(meta.started_at);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, data: unknown) =>
        controller.enqueue(
          encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        );
      try {
        while (!gone.signal.aborted) {
          const now = await readMeta(run.dir, clock.wall()).catch(() =>
            undefined
          );
          if (now && now.status !== "running") {
            send("end", { status: now.status, verdict: now.verdict });
            break;
          }
          const entries = await run.entries();
          const failed = entries.value?.filter((entry) =>
            entry.outcome !== "passed"
          ).length ?? 0;
          send("progress", {
            ...(now && {
              iterations: now.iterations,
              requests: now.requests,
              error_rate: now.error_rate,
              throttle_rate: now.throttle_rate,
            }),
            elapsed_ms: Math.max(0, clock.wall() - began),
            traces: entries.value?.length ?? 0,
            not_passed: failed,
            bytes: run.files().reduce((sum, f) => sum + f.size, 0),
          });
          await clock.sleep(EVERY_MS, gone.signal);
        }
        if (!gone.signal.aborted) controller.close();
      } catch {
        // The reader left between two events.
        stop();
      }
    },
    cancel: stop,
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      // Compressed, an event would wait for the next ones.
      "cache-control": "no-store, no-transform",
    },
  });
}
