import {
  checkInputs,
  type CompiledFlow,
  compileFlow,
  type PreparedRun,
  readRows,
} from "../../lib/compile.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import type { JsonObject } from "../../lib/base/values/json.ts";
import type { Mode } from "../../lib/model/mode.ts";
import type { Console } from "../terminal/console.ts";
import { planJson, planRun } from "../flow/planned_run.ts";
import { type DiagnosticsMessage, diagnosticsMessage } from "./failures.ts";
import { flowInput, targetInput, worldOf } from "./inputs.ts";
import type { PlanParams, RequestParams, ValidateParams } from "./params.ts";

/** `compile`: the canonical IR, and what its author should know. */
export async function compile(
  params: RequestParams,
  console: Console,
): Promise<DiagnosticsMessage & { readonly ir: string }> {
  const compiled = await compileFlow(await flowInput(params, console));
  const { canonical: ir, warnings, sources } = compiled;
  return { ir, ...diagnosticsMessage(warnings, sources) };
}

/** `validate`: every diagnostic there is; what is wrong is no error here. */
export async function validate(
  params: ValidateParams,
  console: Console,
): Promise<DiagnosticsMessage> {
  try {
    const { warnings, sources } = await check(params, console);
    return diagnosticsMessage(warnings, sources);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return diagnosticsMessage(error.diagnostics, error.sources);
  }
}

async function check(
  params: ValidateParams,
  console: Console,
): Promise<CompiledFlow | PreparedRun> {
  const world = worldOf(params);
  const flow = await flowInput(params, console);
  const target = params.target === undefined
    ? undefined
    : await targetInput(params.target, flow, world);
  return await checkInputs(flow, target, world);
}

/** What the iterations of a flow are for. */
interface RowsMessage {
  readonly flow: string;
  readonly mode: Mode;
  /** Text by column; null without a fixture. */
  readonly rows: readonly Readonly<Record<string, string>>[] | null;
}

/** `rows`: the rows of the first pool, one an iteration of a functional run. */
export async function rows(
  params: RequestParams,
  console: Console,
): Promise<RowsMessage> {
  const input = await flowInput(params, console);
  const { flow, rows = null } = readRows(input, worldOf(params));
  return { flow: flow.flow, mode: flow.profile.mode, rows };
}

/** `plan`: what a run would do. */
export async function plan(
  params: PlanParams,
  console: Console,
): Promise<DiagnosticsMessage & { readonly plan: JsonObject }> {
  const world = worldOf(params);
  const flow = await flowInput(params, console);
  const target = await targetInput(params.target, flow, world);
  const planned = await planRun(flow, target, world);
  const { warnings, sources } = planned.prepared;
  return { plan: planJson(planned), ...diagnosticsMessage(warnings, sources) };
}
