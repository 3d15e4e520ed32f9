import { ifPossible } from "../../base/values/if_possible.ts";
import type { Clock } from "../../base/time/clock.ts";
import { VERSION } from "../../base/values/build.ts";
import { isObject } from "../../base/values/json.ts";
import {
  type AgentReading,
  type AgentSample,
  READING_FIELDS,
} from "../../model/result/agent.ts";
import { HttpConnections } from "../../wire/http/connections.ts";
import { http1Request, type HttpRequest } from "../../wire/http/request.ts";
import { requestHead } from "../../wire/http1/request_head.ts";
import { Network } from "../../wire/net/network.ts";
import type { Origin } from "../../wire/net/origin.ts";
import { AllowList, parseBaseUrl } from "../../wire/net/url.ts";
import type { WireResponse } from "../../wire/net/wire_response.ts";

/**
 * Reads the body of an agent's response. Other keys are ignored, so that a newer
 * agent still serves; a missing key is null.
 *
 * @returns undefined for anything that is no reading
 */
export function parseReading(body: string): AgentReading | undefined {
  const value: unknown = ifPossible(() => JSON.parse(body), undefined);
  if (!isObject(value) || !isAmount(value.ts_ms)) return undefined;
  const { ts_ms } = value;
  const numbers = READING_FIELDS.map((field) => [field, value[field] ?? null]);
  const known = numbers.filter(([, each]) => each !== null);
  // Any other object is no reading either.
  if (known.length === 0 || !known.every(([, each]) => isAmount(each))) return;
  return { ts_ms, ...Object.fromEntries(numbers) };
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** The result of reading an agent once. */
type Scraped =
  | { readonly reading: AgentReading }
  | { readonly problem: string };

/** Shorter than the interval, so that scrapes never overlap. */
const TIMEOUT_MS = 800;

/** A reading takes 300 bytes. */
const MOST_BYTES = 64 * 1_024;

const PATH = "/metrics";

/**
 * Reads one agent, over a kept-alive connection of its own that the flow does
 * not use: its allow-list is the agent's address.
 */
export class AgentScraper {
  readonly #network: Network;
  readonly #connections: HttpConnections;
  readonly #origin: Origin;
  readonly #request: HttpRequest;
  #pending: Promise<unknown> = Promise.resolve();

  /**
   * @param addr `host:port`
   * @param token sent as a bearer token, when there is one
   * @throws {RequestError} when the token is no value of a header field
   */
  constructor(addr: string, token: string | undefined, clock: Clock) {
    const base = parseBaseUrl(`http://${addr}`);
    this.#origin = base.origin;
    this.#network = new Network({
      allowList: new AllowList([base]),
      tls: { caCerts: [], insecure: false },
      clock,
    });
    this.#connections = new HttpConnections(this.#network);
    const head = requestHead("GET", PATH, [
      ["Host", base.origin.hostHeader],
      ["User-Agent", `bench/${VERSION}`],
      ["Accept", "application/json"],
      ...(token ? [["Authorization", `Bearer ${token}`] as const] : []),
    ]);
    this.#request = http1Request("GET", new TextEncoder().encode(head));
  }

  /** Never rejects; ends within 800 ms. One at a time. */
  async scrape(): Promise<Scraped> {
    const exchange = this.#connections.request(
      this.#origin,
      this.#request,
      TIMEOUT_MS,
    );
    this.#pending = exchange;
    try {
      return understand(await exchange);
    } catch (error) {
      return { problem: error instanceof Error ? error.message : `${error}` };
    }
  }

  /** Stops what is under way. Resolves when all of it has ended. */
  async close(): Promise<void> {
    this.#connections.close();
    // A dial that hangs needs the network's deadlines to end.
    await this.#pending.catch(() => {});
    this.#network.close();
  }
}

function understand({ failure, status, body }: WireResponse): Scraped {
  if (failure) return { problem: failure.message };
  if (status !== 200) return { problem: statusText(status) };
  const reading = body.length > MOST_BYTES
    ? undefined
    : parseReading(new TextDecoder().decode(body));
  return reading
    ? { reading }
    : { problem: "its response is not the reading of a metrics agent" };
}

const HINTS: Readonly<Record<number, string>> = {
  401: ": set BENCH_AGENT_TOKEN to the agent's own",
  501: ": its machine does not run Linux",
};

function statusText(status: number): string {
  return `it responded with ${status}${HINTS[status] ?? ""}`;
}

/** How often an agent is read. */
export const POLL_MS = 1_000;

/** The result of polling. */
export interface Polled {
  readonly samples: readonly AgentSample[];
  /** Seconds without a sample. */
  readonly missed: number;
  /** Why the last of those has none. */
  readonly problem?: string;
}

/** Polling under way. */
interface AgentPoll {
  soFar(): Polled;
  /** Stops at once, even while a reading is under way. */
  end(): Polled;
}

/**
 * Reads an agent once a second, on the second, from the start. Fail-open: a
 * scrape that fails is a gap, and no part of the run waits for one.
 *
 * @param scrape bounded by itself; must not reject
 * @param startedAt the run's start on `clock`; the times of samples count from it
 */
export function startPoll(
  scrape: () => Promise<Scraped>,
  clock: Clock,
  startedAt: number,
): AgentPoll {
  const samples: AgentSample[] = [];
  const over = new AbortController();
  let missed = 0;
  let problem: string | undefined;
  const sinceStart = () => clock.now() - startedAt;
  void (async () => {
    // The readings of a warm-up are of nothing that is measured.
    if (sinceStart() < 0) await clock.sleep(-sinceStart(), over.signal);
    if (over.signal.aborted) return;
    for (let tick = 0;;) {
      const scraped = await scrape();
      if (over.signal.aborted) return;
      if ("reading" in scraped) {
        const t_ms = Math.max(0, Math.round(sinceStart()));
        samples.push({ t_ms, ...scraped.reading });
      } else {
        missed++;
        problem = scraped.problem;
      }
      const next = Math.max(tick, Math.floor(sinceStart() / POLL_MS)) + 1;
      // Seconds in which this thread could not run.
      missed += next - tick - 1;
      tick = next;
      await clock.sleep(tick * POLL_MS - sinceStart(), over.signal);
      if (over.signal.aborted) return;
    }
  })();
  const soFar = () => ({
    samples,
    missed,
    ...(problem !== undefined && { problem }),
  });
  return {
    soFar,
    end() {
      over.abort();
      return soFar();
    },
  };
}
