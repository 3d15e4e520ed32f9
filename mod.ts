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
  type InputFile,
  type PreparedRun,
  prepareRun,
  type World,
} from "./lib/compile.ts";
export type { Flow, Step } from "./lib/ir/flow.ts";
export type { Target } from "./lib/ir/target.ts";
export type { RunMeta } from "./lib/result/run.ts";
export type { Trace } from "./lib/result/trace.ts";
export {
  runFlow,
  type RunOptions,
  type RunOutcome,
  RunRefused,
  Stop,
} from "./lib/run.ts";
export { listRuns, readMeta, readTrace } from "./lib/store/reader.ts";
export { StoreError } from "./lib/store/store_error.ts";
export { type Diagnostic, InputError } from "./lib/text/diagnostic.ts";
