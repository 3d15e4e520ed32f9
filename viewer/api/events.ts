import { readMeta } from "../../lib/results/store/reader.ts";
import type { RunRequest } from "../page/page_request.ts";

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
