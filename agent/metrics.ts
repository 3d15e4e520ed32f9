import { createHash, timingSafeEqual } from "node:crypto";
import type { AgentReading } from "../lib/model/result/agent.ts";
import { formOf } from "./accept.ts";
import { PROMETHEUS_TYPE, prometheusText } from "./prometheus.ts";

/** What answers are made of. */
export interface MetricsOptions {
  /** Demanded as a bearer token; anyone is answered without one. */
  readonly token?: string;
  /** The operating system, as `Deno.build.os` has it. */
  readonly os: string;
  /** Reads the machine; throws when it cannot. */
  readonly read: () => AgentReading;
}

/** Answers a request: readings at `GET /metrics`, 404 everywhere else. */
export function metricsHandler(
  { token, os, read }: MetricsOptions,
): (request: Request) => Response {
  const demanded = token === undefined ? undefined : digest(`Bearer ${token}`);
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/metrics") {
      return refuse(
        404,
        `there is nothing at \`${pathname}\`: readings are at /metrics`,
      );
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(405, `\`${request.method}\` is not for /metrics`, {
        allow: "GET, HEAD",
      });
    }
    // Digests are of one length, so that comparing tells nothing of the token.
    const given = digest(request.headers.get("authorization") ?? "");
    if (demanded && !timingSafeEqual(demanded, given)) {
      return refuse(
        401,
        "this agent wants `Authorization: Bearer` and its token",
        {
          "www-authenticate": "Bearer",
        },
      );
    }
    if (os !== "linux") {
      return refuse(
        501,
        `bench-agent reads machines that run Linux, this one runs ${os}`,
      );
    }
    try {
      return answer(read(), request.headers.get("accept"));
    } catch (error) {
      return refuse(500, error instanceof Error ? error.message : `${error}`);
    }
  };
}

function answer(reading: AgentReading, accept: string | null): Response {
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

function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
