import { readFixture } from "./engine/data/fixture.ts";
import type { Fixture } from "./engine/data/table.ts";
import { canonical } from "./base/values/canonical.ts";
import type { Flow, Profile, Target } from "./language/ir.ts";
import {
  type InputFile,
  readerOf,
  readFlowInput,
  readTargetInput,
} from "./language/flow/input.ts";
import { registry } from "./steps/registry.ts";
import { checkPlan } from "./engine/plan/plan.ts";
import { basesOf, checkAllowed } from "./engine/preflight/allowed_hosts.ts";
import { readEnvironment } from "./engine/preflight/environment.ts";
import {
  checkBlockDocuments,
  checkBlockFiles,
} from "./engine/preflight/block_files.ts";
import { checkColumns, readFixtures } from "./engine/preflight/fixtures.ts";
import type {
  CompiledFlow,
  PreparedRun,
  World,
} from "./engine/preflight/prepared_run.ts";
import type { Diagnostics } from "./base/text/diagnostics.ts";
import { inputDiagnostics } from "./language/source/reader.ts";
import { literalCredentials } from "./language/validate/credentials.ts";
import { checkResolved } from "./language/validate/resolved.ts";
import {
  inOneSpelling,
  validateFlow,
  withDefaultAuth,
  withLowestIr,
} from "./language/validate/flow.ts";

export { readFixture };
export type { CompiledFlow, Fixture, InputFile, PreparedRun, World };

/**
 * Text to IR: shape, the rules across steps, documents in the flow itself. No
 * other file is read, so that a flow compiles wherever its text is.
 *
 * @throws {InputError} with every error there is
 */
export async function compileFlow(input: InputFile): Promise<CompiledFlow> {
  const diagnostics = inputDiagnostics();
  const { compiled } = readFlow(input, diagnostics) ?? {};
  if (!compiled) throw diagnostics.refusal();
  await checkBlockDocuments(compiled.flow, diagnostics.reporter(compiled));
  diagnostics.throwIfAny();
  return { ...compiled, warnings: diagnostics.warnings };
}

/** A flow that is correct by itself, and the rows its iterations are for. */
interface FlowRows {
  readonly flow: Flow;
  /** Of the first pool, as text by column; absent without a fixture. */
  readonly rows?: readonly Readonly<Record<string, string>>[];
}

/**
 * A flow and its rows. Neither environment nor target is looked at.
 *
 * @throws {InputError} with every error there is
 */
export function readRows(input: InputFile, world: World): FlowRows {
  const diagnostics = inputDiagnostics();
  const { compiled } = readFlow(input, diagnostics) ?? {};
  if (!compiled) throw diagnostics.refusal();
  const { flow } = compiled;
  const report = diagnostics.reporter(compiled);
  const { directory } = input;
  const [first] = readFixtures({ flow, directory, world, report, diagnostics })
    .values();
  diagnostics.throwIfAny();
  return first ? { flow, rows: textRows(first) } : { flow };
}

function textRows({ columns, size, row }: Fixture): Record<string, string>[] {
  return Array.from({ length: size }, (_, index) => {
    const cells = row(index);
    return Object.fromEntries(
      columns.map((name) => [name, cells.get(name)?.text ?? ""]),
    );
  });
}

/**
 * Every check there is before the first request: the flow by itself, its
 * environment and fixtures, the target file, and the flow against the target.
 * Sends nothing.
 *
 * @param target absent to check all but what needs one
 * @throws {InputError} with every error in every file
 */
export function checkInputs(
  input: InputFile,
  target: InputFile,
  world: World,
): Promise<PreparedRun>;
export function checkInputs(
  input: InputFile,
  target: InputFile | undefined,
  world: World,
): Promise<CompiledFlow | PreparedRun>;
export async function checkInputs(
  input: InputFile,
  target: InputFile | undefined,
  world: World,
): Promise<CompiledFlow | PreparedRun> {
  const diagnostics = inputDiagnostics();
  const { compiled, checked } = readFlow(input, diagnostics) ?? {};
  const goal = target && readTarget(target, diagnostics);
  // Errors above would make most of what follows noise.
  if (!compiled || !checked) throw diagnostics.refusal();
  const { flow } = compiled;
  const report = diagnostics.reporter(compiled);
  const env = readEnvironment(checked, world, report);
  checkResolved(checked, env, registry, report);
  const { directory } = input;
  const files = { flow, directory, world, report, diagnostics };
  const fixtures = readFixtures(files);
  checkColumns(checked, fixtures, report);
  await checkBlockDocuments(flow, report);
  const filesSha256 = await checkBlockFiles(files);
  const bases = goal && basesOf(goal);
  if (goal && bases) {
    checkAllowed(checked, bases, report);
    checkPlan(flow, goal, report);
  }
  diagnostics.throwIfAny();
  const valid = { ...compiled, warnings: diagnostics.warnings };
  if (!target || !goal || !bases) return valid;
  return {
    ...valid,
    directory,
    target: goal,
    targetFile: target.file,
    bases,
    env,
    secrets: [...env.values(), ...literalCredentials(flow, registry)],
    fixtures,
    filesSha256,
  };
}

/** A target file by itself. @throws {InputError} with everything that is wrong with it */
export function checkTarget(input: InputFile): void {
  const diagnostics = inputDiagnostics();
  readTarget(input, diagnostics);
  diagnostics.throwIfAny();
}

/** Everything a run needs, or every reason why it may not begin. */
export function prepareRun(
  input: InputFile,
  target: InputFile,
  world: World,
): Promise<PreparedRun> {
  return checkInputs(input, target, world);
}

/** A flow with nothing wrong with it by itself. */
interface ReadFlow {
  readonly compiled: Omit<CompiledFlow, "warnings">;
  /** The same, with the default auth as something to check. */
  readonly checked: Flow;
}

function readFlow(
  input: InputFile,
  diagnostics: Diagnostics,
): ReadFlow | undefined {
  const reader = readerOf(input, diagnostics);
  const written = readFlowInput(input, registry, reader);
  if (!written) return;
  const { defaultAuth } = written;
  const { file } = input;
  const { locations } = reader;
  const read = asAsked(written.flow, input);
  for (const [key, { by }] of Object.entries(input.load ?? {})) {
    if (by) reader.locate(`/profile/${key}`, { file: by });
  }
  const { bareNames } = reader;
  const report = diagnostics.reporter({ file, locations });
  validateFlow(read, registry, report, {
    ...(defaultAuth && { defaultAuth }),
    bareNames,
  });
  if (diagnostics.any) return;
  const lowest = withLowestIr(read, registry, report);
  if (diagnostics.any) return;
  const flow = input.form === "json" ? inOneSpelling(lowest, registry) : lowest;
  const { sources } = diagnostics;
  return {
    compiled: { flow, canonical: canonical(flow), locations, file, sources },
    checked: withDefaultAuth(flow, defaultAuth),
  };
}

/** One file is a functional check and any load test: only the profile differs. */
function asAsked(
  flow: Flow,
  { mode, thresholds = [], load }: InputFile,
): Flow {
  if (!mode && thresholds.length === 0 && !load) return flow;
  const judged = [...flow.profile.thresholds ?? [], ...thresholds];
  const asked = Object.entries(load ?? {}).map(([key, { value }]) =>
    [key, value] as const
  );
  const parts = Object.entries({
    ...flow.profile,
    ...(mode && { mode }),
    ...(judged.length > 0 && { thresholds: judged }),
    ...Object.fromEntries(asked),
  }).filter(([, value]) => value !== undefined);
  return { ...flow, profile: Object.fromEntries(parts) as Profile };
}

function readTarget(
  input: InputFile,
  diagnostics: Diagnostics,
): Target | undefined {
  const reader = readerOf(input, diagnostics);
  return readTargetInput(input, registry, reader);
}
