import { createHash, timingSafeEqual } from "node:crypto";
import type { AgentReading } from "../lib/model/result/agent.ts";
import {
  holdFiles,
  hostFiles,
  readHost,
} from "../lib/results/samples/host_reading.ts";

/** Of the text exposition format. */
const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Metric = readonly [name: string, type: "counter" | "gauge", help: string];

const METRICS: Readonly<
  Record<Exclude<keyof AgentReading, "ts_ms">, Metric>
> = {
  cpu_seconds_total: [
    "cpu_seconds_total",
    "counter",
    "CPU time that was not idle, over all cores.",
  ],
  cpu_cores: ["cpu_cores", "gauge", "Cores of the machine."],
  mem_used_bytes: [
    "memory_used_bytes",
    "gauge",
    "Memory in use: total minus available.",
  ],
  mem_total_bytes: ["memory_total_bytes", "gauge", "Memory of the machine."],
  net_rx_bytes_total: [
    "network_receive_bytes_total",
    "counter",
    "Bytes received, loopback left out.",
  ],
  net_tx_bytes_total: [
    "network_transmit_bytes_total",
    "counter",
    "Bytes sent, loopback left out.",
  ],
  open_fds: ["open_fds", "gauge", "Open file descriptors of the machine."],
  load1: ["load1", "gauge", "Load average of the last minute."],
};

/** The reading in the text exposition format; what is unknown is left out. */
function prometheusText(reading: AgentReading): string {
  return Object.entries(METRICS).flatMap(([field, [name, type, help]]) => {
    const value = reading[field as keyof typeof METRICS];
    const metric = `bench_agent_${name}`;
    return value === null ? [] : [
      `# HELP ${metric} ${help}`,
      `# TYPE ${metric} ${type}`,
      `${metric} ${value}`,
    ];
  }).join("\n") + "\n";
}

/** The sources that responses are made of. */
interface MetricsOptions {
  /** Required as a bearer token; without one, no token is needed. */
  readonly token?: string;
  /** The operating system, as `Deno.build.os` has it. */
  readonly os: string;
  /** Reads the machine; throws when it cannot. */
  readonly read: () => AgentReading;
}

/** Responds with readings at `GET /metrics`, with 404 everywhere else. */
export function metricsHandler(
  { token, os, read }: MetricsOptions,
): (request: Request) => Response {
  const required = token === undefined ? undefined : digest(token);
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/metrics") {
      return refuse(
        404,
        `no such path: \`${pathname}\`; readings are at /metrics`,
      );
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(
        405,
        `method \`${request.method}\` is not allowed for /metrics`,
        {
          allow: "GET, HEAD",
        },
      );
    }
    // Digests have one length, so that the comparison gives the token away in no way.
    const given = digest(bearerToken(request.headers.get("authorization")));
    if (required && !timingSafeEqual(required, given)) {
      return refuse(
        401,
        "this agent requires `Authorization: Bearer` with its token",
        {
          "www-authenticate": "Bearer",
        },
      );
    }
    if (os !== "linux") {
      return refuse(
        501,
        `bench-agent reads Linux machines only; this one runs ${os}`,
      );
    }
    try {
      return respond(read(), request.headers.get("accept"));
    } catch (error) {
      return refuse(500, error instanceof Error ? error.message : `${error}`);
    }
  };
}

function respond(reading: AgentReading, accept: string | null): Response {
  const headers = { "cache-control": "no-store", "vary": "accept" };
  return formOf(accept) === "prometheus"
    ? new Response(prometheusText(reading), {
      headers: { ...headers, "content-type": PROMETHEUS_TYPE },
    })
    : Response.json(reading, { headers });
}

function refuse(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers });
}

/** Of `Authorization: Bearer`, the scheme in any letter case (RFC 9110 section 11.1). */
function bearerToken(field: string | null): string {
  return /^bearer +(.*)$/i.exec(field ?? "")?.[1] ?? "";
}

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** The forms a reading is served in. */
type OutputForm = "json" | "prometheus";

const PROMETHEUS = new Set([
  "text/plain",
  "text/*",
  "application/openmetrics-text",
]);
const JSON_TYPES = new Set(["application/json", "application/*"]);

/**
 * The form an `Accept` field asks for (RFC 9110 section 12.5.1): Prometheus text
 * where text is named and preferred to JSON; JSON in every other case.
 */
function formOf(accept: string | null): OutputForm {
  let text = 0;
  let json = 0;
  for (const range of (accept ?? "").split(",")) {
    const [type = "", ...parameters] = range.split(";")
      .map((part) => part.trim().toLowerCase());
    const weight = weightOf(parameters);
    if (PROMETHEUS.has(type)) text = Math.max(text, weight);
    if (JSON_TYPES.has(type)) json = Math.max(json, weight);
  }
  return text > json ? "prometheus" : "json";
}

function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((each) => each.startsWith("q="))?.slice(2);
  const weight = text === undefined ? 1 : Number(text);
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** Whose readings are served to whom. */
interface HostMetricsOptions {
  /** Where the kernel's files are mounted. */
  readonly proc: string;
  readonly token?: string;
}

/**
 * Serves the readings of this machine, out of files that are
 * opened now.
 */
export function hostMetrics(
  { proc, token }: HostMetricsOptions,
): (request: Request) => Response {
  const readText = holdFiles(hostFiles(proc));
  return metricsHandler({
    ...(token !== undefined && { token }),
    os: Deno.build.os,
    read: () => readHost(Date.now(), proc, readText),
  });
}
