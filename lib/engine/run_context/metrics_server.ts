import { NO_ITERATIONS } from "../../model/result/totals.ts";
import { BenchError, EXIT } from "../../base/errors/bench_error.ts";
import {
  type Hosts,
  isLoopback,
  ownHosts,
} from "../../base/values/loopback.ts";
import { osReason } from "../../base/text/os_reason.ts";
import type { Flow } from "../../language/ir.ts";
import { requestsOf } from "../../steps/registry.ts";
import type { Clock } from "../../base/time/clock.ts";
import {
  type ExposedRun,
  exposition,
  EXPOSITION_TYPES,
  type LiveFigures,
} from "../../results/exposition/exposition.ts";
import type { RunFacts } from "../../results/report/summary.ts";
import { HttpServer } from "../../wire/server/http_server.ts";
import type { Listener } from "./run_context.ts";

/** Where the figures of a run are offered while it lasts. */
interface MetricsOptions {
  /** Absent for every address of the machine. */
  readonly hostname?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Called with `host:port` once it listens. */
  readonly onListening: (address: string) => void;
}

/** Offers the figures of a run; it is refused where the address cannot be listened on. */
export function offerMetrics(options: MetricsOptions): Listener {
  let server: MetricsServer | undefined;
  return {
    open({ prepared, facts, options: { clock } }) {
      const run = exposedRun(prepared.flow, facts);
      server = new MetricsServer(run, options, clock);
    },
    wantsLatencies: () => true,
    second({ recording, progress: { vus, lateMs: startLagMs }, cpuRatio }) {
      server!.show({ ...recording.figures(), vus, startLagMs, cpuRatio });
    },
    end: () => server?.close(),
  };
}

function exposedRun(
  { flow, steps }: Flow,
  { id, target, mode, benchVersion: version }: RunFacts,
): ExposedRun {
  const exposed = steps.map((each) => ({
    id: each.id,
    sends: requestsOf(each) > 0,
  }));
  return { id, flow, target, mode, version, steps: exposed };
}

const NOTHING_YET: Omit<LiveFigures, "steps"> = {
  iterations: NO_ITERATIONS,
  vus: 0,
  startLagMs: 0,
  cpuRatio: 0,
};

/**
 * Serves the latest metrics at `GET /metrics`. On loopback a request has to name
 * this server; elsewhere it may be known by any name.
 */
export class MetricsServer {
  readonly #run: ExposedRun;
  readonly #server: HttpServer;
  readonly #hosts: Hosts | undefined;
  #figures: LiveFigures;

  /** @throws {BenchError} when the address cannot be listened on */
  constructor(run: ExposedRun, options: MetricsOptions, clock: Clock) {
    this.#run = run;
    const none = { passed: 0, throttled: 0, failed: 0 };
    const steps = run.steps.map(() => ({ attempts: none, durations: [] }));
    this.#figures = { ...NOTHING_YET, steps };
    const { hostname = "0.0.0.0", port, onListening } = options;
    try {
      this.#server = new HttpServer(
        { hostname, port },
        (request) => this.#respond(request),
        clock,
      );
    } catch (error) {
      throw new BenchError(
        `cannot listen on ${hostname}:${port} for --metrics: ${
          error instanceof Deno.errors.AddrInUse
            ? "the port is taken"
            : osReason(error)
        }`,
        { exitCode: EXIT.refused, hint: "give another port, or 0 for any" },
      );
    }
    this.#hosts = isLoopback(hostname)
      ? ownHosts(hostname, this.#server.addr.port)
      : undefined;
    onListening(this.#server.address);
  }

  /** To be called about once a second. */
  show(figures: LiveFigures): void {
    const { steps } = figures;
    this.#figures = steps.length > 0
      ? figures
      : { ...figures, steps: this.#figures.steps };
  }

  close(): Promise<void> {
    return this.#server.abort();
  }

  #respond(request: Request): Response {
    const host = request.headers.get("host")?.toLowerCase() ?? "";
    if (this.#hosts && !this.#hosts.has(host)) {
      const text = `\`${host}\` is not this server\n`;
      return new Response(text, { status: 421 });
    }
    if (new URL(request.url).pathname !== "/metrics") {
      return new Response("not found\n", { status: 404 });
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      const text = `method \`${request.method}\` is not allowed for /metrics\n`;
      return new Response(text, {
        status: 405,
        headers: { Allow: "GET, HEAD" },
      });
    }
    const accept = request.headers.get("accept") ?? "";
    const form = accept.includes("application/openmetrics-text")
      ? "openmetrics"
      : "text";
    return new Response(exposition(this.#run, this.#figures, form), {
      headers: { "Content-Type": EXPOSITION_TYPES[form] },
    });
  }
}
