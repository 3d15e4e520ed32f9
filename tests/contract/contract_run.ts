import { join } from "node:path";
import { prepareRun } from "../../lib/compile.ts";
import type { HttpChoice } from "../../lib/model/result/response.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Trace } from "../../lib/model/result/trace.ts";
import { runFlow, type Stop } from "../../lib/run.ts";
import { workspace } from "../support/bench.ts";
import { unwatched, yamlInput } from "../support/run_in_process.ts";
import type { ProtocolFixture } from "./protocol_fixture.ts";

/** The token every step sends; it must be in no file of a run. */
export const SECRET = "contract-secret-4f1d9c";

/** One run of a fixture's step. */
export interface Ask {
  /** The target's only base URL. */
  readonly url: string;
  /** Lines of `profile`, in flow style. */
  readonly profile?: string;
  /** Lines of the target file. */
  readonly target?: string;
  /** Where the step goes instead of the base URL. */
  readonly stepUrl?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly workers?: number;
  readonly stop?: Stop;
}

/** What a run left behind. */
export interface StepRun {
  readonly meta: RunMeta;
  readonly traces: readonly Trace[];
  /** Text of every file of the run directory, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** A flow and what it runs against. */
export interface FlowRun extends Ask {
  /** Text of `flow.yaml`. */
  readonly flow: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly http?: HttpChoice;
}

/**
 * Runs the fixture's step through the whole engine.
 *
 * @throws {InputError} when the flow is refused before the run
 */
export function runStep(fixture: ProtocolFixture, ask: Ask): Promise<StepRun> {
  const { files, http } = fixture;
  return runFlowText({
    ...ask,
    flow: flowOf(fixture, ask),
    ...(files && { files }),
    ...(http && { http }),
  });
}

/**
 * Runs a flow through the whole engine, in this process.
 *
 * @throws {InputError} when the flow is refused before the run
 */
export async function runFlowText(
  { flow, files: more = {}, http = "auto", ...ask }: FlowRun,
): Promise<StepRun> {
  using folder = workspace(more);
  const env: Readonly<Record<string, string>> = { SECRET, ...ask.env };
  const prepared = await prepareRun(
    yamlInput("flow.yaml", flow, folder.path),
    yamlInput(
      "target.yaml",
      `name: here\nbase_urls: [${ask.url}]\n${ask.target ?? ""}\n`,
      folder.path,
    ),
    { env: (name) => env[name], readBytes: Deno.readFileSync },
  );
  const { meta, directory } = await runFlow(
    prepared,
    {
      ...unwatched(),
      storeDir: join(folder.path, "runs"),
      http,
      workers: ask.workers ?? 1,
      ...(ask.stop && { stop: ask.stop }),
      signal: () => ask.stop?.reason === "interrupted" ? "SIGINT" : undefined,
    },
  );
  const files = new Map(
    [...Deno.readDirSync(directory)].map(({ name }) => [
      name,
      Deno.readTextFileSync(join(directory, name)),
    ]),
  );
  const { traces } = JSON.parse(files.get("traces.json")!);
  return { meta, traces, files };
}

function flowOf(fixture: ProtocolFixture, ask: Ask): string {
  const lines = fixture.step(ask.stepUrl).trimEnd().replaceAll("\n", "\n    ");
  return `flow: contract
profile: { ${ask.profile ?? "mode: integration"} }
auth: { scheme: bearer, token: "{{ env.SECRET }}" }
steps:
  - id: it
    ${lines}
`;
}
