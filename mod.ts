/**
 * `bench` as a library: check a flow, run it, read what it left behind. The
 * command line is built on exactly these functions.
 *
 * @module
 */
export {
  checkInputs,
  type CompiledFlow,
  compileFlow,
  type Environment,
  type InputFile,
  type PreparedRun,
  prepareRun,
} from "./lib/compile.ts";
export type { Flow, Step } from "./lib/language/ir.ts";
export type { Target } from "./lib/language/ir.ts";
export type { RunMeta } from "./lib/model/result/run.ts";
export type { Trace } from "./lib/model/result/trace.ts";
export {
  type Listener,
  runFlow,
  type RunOptions,
  type RunOutcome,
  RunRefused,
  Stop,
} from "./lib/run.ts";
export { listRuns, readMeta } from "./lib/results/store/reader.ts";
export { readTrace } from "./lib/results/store/trace_reader.ts";
export { StoreError } from "./lib/results/store/layout.ts";
export { type Diagnostic, InputError } from "./lib/base/text/diagnostic.ts";
