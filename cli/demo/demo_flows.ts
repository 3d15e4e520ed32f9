import { fileURLToPath } from "node:url";
import { prepareRun } from "../../lib/compile.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { attendedRun } from "../run/attended_run.ts";
import type { Console } from "../terminal/console.ts";
import { readFlowFile } from "../inputs/input_files.ts";
import { shownPath } from "../inputs/target_lookup.ts";
import { storeDirectory } from "../options/store.ts";
import { showOutcome } from "../run/show_result.ts";
import { systemEnvironment } from "../inputs/environment.ts";

/** One flow of `bench demo`. */
interface DemoFlow {
  /** Its name in `examples/`. */
  readonly file: string;
  /** Its purpose, for the line above its summary. */
  readonly shows: string;
  /** It calls the target's gRPC server. */
  readonly grpc?: true;
}

/** The examples of `bench demo`, in order. A new one is one line. */
export const DEMO_FLOWS: readonly DemoFlow[] = [
  { file: "shop.bench.yaml", shows: "a whole flow over HTTP" },
  { file: "login.bench.yaml", shows: "a login by a form, with cookies" },
  {
    file: "values.bench.yaml",
    shows: "values that are drawn for each iteration",
  },
  {
    file: "setup.bench.yaml",
    shows: "steps that are carried out once, before and after the load",
  },
  { file: "graphql.bench.yaml", shows: "GraphQL operations" },
  { file: "grpc.bench.yaml", shows: "unary gRPC calls", grpc: true },
  { file: "ws.bench.yaml", shows: "a WebSocket session" },
  { file: "demo_load.bench.yaml", shows: "ten seconds of load" },
];

/** Runs an example flow against a target given as text, and prints its summary. */
export async function runExample(
  file: string,
  target: string,
  flags: { readonly store?: string },
  console: Console,
): Promise<RunMeta> {
  const flow = await readFlowFile(file, console);
  const prepared = await prepareRun(flow, {
    file: "demo target",
    bytes: new TextEncoder().encode(target),
    directory: ".",
    form: "yaml",
  }, systemEnvironment);
  const outcome = await attendedRun(prepared, {
    seed: 1,
    storeDir: storeDirectory(flags.store),
    tls: { caCerts: [], insecure: false },
    http: "auto",
    notes: [],
  }, console);
  showOutcome(outcome, prepared, console);
  return outcome.meta;
}

/** Where an example is, as short as it can be written from here. */
export function examplePath(name: string): string {
  return shownPath(
    fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)),
  );
}
