import { join } from "node:path";
import { stringify } from "yaml";
import { prepareRun } from "../../lib/compile.ts";
import type { Failure } from "../../lib/model/result/failure.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { runFlow, Stop, type TlsOptions } from "../../lib/run.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { workspace } from "../support/bench.ts";
import { WALL_MS } from "./both_paths.ts";

/** What a run came to, in the words both paths can say it in. */
export interface Told {
  /** Codes of why it was refused; the rest is absent then. */
  readonly refused?: readonly string[];
  readonly abort?: string | null;
  readonly iterations?: readonly ToldIteration[];
}

interface ToldIteration {
  readonly row: number | null;
  readonly outcome: string;
  readonly steps: readonly ToldStep[];
}

interface ToldStep {
  readonly id: string;
  readonly outcome: string | undefined;
  readonly is_error: unknown;
  readonly failure: Failure | null;
  readonly checks: readonly unknown[];
  readonly exchanges: readonly unknown[];
}

/**
 * Runs a flow through the engine in this process.
 *
 * @param flow the data of a flow file, or the text of its IR
 */
export async function engineResult(
  flow: Record<string, unknown> | string,
  target: string,
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  tls: TlsOptions = { caCerts: [], insecure: false },
): Promise<Told> {
  using place = workspace(files);
  const input = (file: string, text: string) => ({
    file,
    bytes: new TextEncoder().encode(text),
    directory: place.path,
    form: file.endsWith(".json") ? "json" as const : "yaml" as const,
  });
  try {
    const prepared = await prepareRun(
      typeof flow === "string"
        ? input("flow.json", flow)
        : input("flow.yaml", stringify(flow, { lineWidth: 0 })),
      input("target.yaml", target),
      { env: (name) => env[name], readBytes: Deno.readFileSync },
    );
    const { meta, directory } = await runFlow(prepared, {
      seed: 1,
      storeDir: join(place.path, "runs"),
      tls,
      workers: 1,
      clock: { ...systemClock, wall: () => WALL_MS },
      chance: () => 0.5,
      stop: new Stop(),
      signal: () => undefined,
      onProgress: () => {},
      notes: [],
    });
    const text = Deno.readTextFileSync(join(directory, "traces.json"));
    const { traces } = JSON.parse(text) as { traces: Trace[] };
    return {
      abort: meta.abort_reason,
      iterations: traces.toSorted((a, b) => a.iteration - b.iteration)
        .map(iterationOf),
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { refused: error.diagnostics.map(({ code }) => code) };
  }
}

function iterationOf({ row, outcome, spans }: Trace): ToldIteration {
  const below = new Map<string, Span[]>();
  for (const span of spans) {
    const siblings = below.get(span.parent_id ?? "") ?? [];
    siblings.push(span);
    below.set(span.parent_id ?? "", siblings);
  }
  const children = (span: Span) => below.get(span.span_id) ?? [];
  return {
    row: row ?? null,
    outcome,
    steps: (below.get("") ?? []).map((step) => ({
      id: step.name,
      outcome: step.outcome,
      is_error: step.attributes?.throttle_is_error ?? false,
      failure: step.failure ?? null,
      checks: children(step).filter(({ name }) => name.includes("@"))
        .map(({ name, failure }) => ({ name, failure: failure ?? null })),
      exchanges: [step, ...children(step)].flatMap(children)
        .filter(({ name, request }) => name === "http_call" && request)
        .map(({ outcome, attributes, request, response }) => ({
          outcome,
          status: attributes?.status ?? null,
          request: messageOf(request),
          response: messageOf(response),
        })),
    })),
  };
}

function messageOf(message: Span["request"]) {
  if (!message) return null;
  const { line, headers, body = null, body_encoding = null } = message;
  return { line, headers, body, body_encoding };
}
