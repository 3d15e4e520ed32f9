import { relative } from "node:path";
import { readFixture } from "./engine/data/fixture.ts";
import type { Fixture } from "./engine/data/table.ts";
import { canonical } from "./base/values/canonical.ts";
import { atHighest, offersRates } from "./language/flow/profile.ts";
import type { Flow, Profile, Target } from "./language/ir.ts";
import {
  type InputFile,
  readerOf,
  readFlowInput,
  readTargetInput,
} from "./language/flow/input.ts";
import { registry } from "./steps/registry.ts";
import { checkRows } from "./engine/plan/budget.ts";
import { checkPlan } from "./engine/plan/plan.ts";
import {
  basesOf,
  checkAllowed,
  checkBlockDocuments,
  checkBlockFiles,
  checkColumns,
  readEnvironment,
  readFixtures,
} from "./engine/preflight/preflight.ts";
import type {
  CompiledFlow,
  Environment,
  PreparedRun,
  ReadFlow,
} from "./engine/preflight/prepared_run.ts";
import type { Diagnostic, Diagnostics } from "./base/text/diagnostic.ts";
import { inputDiagnostics } from "./language/source/reader.ts";
import { literalCredentials } from "./language/validate/environment.ts";
import { checkResolved } from "./language/validate/resolved.ts";
import {
  normalized,
  validateFlow,
  withLowestIr,
} from "./language/validate/flow.ts";

export { readFixture };
export type { CompiledFlow, Environment, Fixture, InputFile, PreparedRun };

/**
 * Text to IR: shape, the rules across steps, documents in the flow itself. No
 * other file is read, so that a flow compiles wherever its text is.
 *
 * @throws {InputError} with every error there is
 */
export async function compileFlow(input: InputFile): Promise<CompiledFlow> {
  const diagnostics = inputDiagnostics();
  const read = readSource(input, diagnostics);
  if (!read) throw diagnostics.refusal();
  await checkBlockDocuments(read, diagnostics.reporter(read));
  return compiledFrom(read, input, diagnostics);
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
export function readRows(input: InputFile, environment: Environment): FlowRows {
  const diagnostics = inputDiagnostics();
  const read = readSource(input, diagnostics);
  if (!read) throw diagnostics.refusal();
  const report = diagnostics.reporter(read);
  const { directory } = input;
  const [first] = readFixtures({
    read,
    directory,
    environment,
    report,
    diagnostics,
  })
    .values();
  const { flow } = compiledFrom(read, input, diagnostics);
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
  environment: Environment,
): Promise<PreparedRun>;
export function checkInputs(
  input: InputFile,
  target: InputFile | undefined,
  environment: Environment,
): Promise<CompiledFlow | PreparedRun>;
export async function checkInputs(
  input: InputFile,
  target: InputFile | undefined,
  environment: Environment,
): Promise<CompiledFlow | PreparedRun> {
  const diagnostics = inputDiagnostics();
  const read = readSource(input, diagnostics);
  const destination = target && readTarget(target, diagnostics);
  if (!read) throw diagnostics.refusal();
  const { opened, isSound } = read;
  const report = diagnostics.reporter(read);
  const env = readEnvironment(opened, environment, report);
  checkResolved(opened, env, registry, isSound, report);
  const { directory } = input;
  const files = { read, directory, environment, report, diagnostics };
  const fixtures = readFixtures(files);
  checkColumns(opened, fixtures, report);
  if (isSound("/profile")) checkRows(read.flow, fixtures, report);
  await checkBlockDocuments(read, report);
  const filesSha256 = await checkBlockFiles(files);
  if (destination?.bases) {
    // A URL that cannot be one has no host to judge.
    const unlessWrong = diagnostics.reporter(read, { unlessWrong: true });
    checkAllowed(opened, destination.bases, unlessWrong);
  }
  if (destination && isSound("/profile/mode")) {
    checkPlan(read.flow, destination.target, report);
  }
  const valid = compiledFrom(read, input, diagnostics);
  if (!target || !destination?.bases) return valid;
  return {
    ...valid,
    directory,
    target: destination.target,
    targetFile: target.file,
    ...(target.form !== "document" && {
      targetPath: relative(directory, target.file),
    }),
    bases: destination.bases,
    loadOptions: Object.fromEntries(
      Object.values(input.load ?? {}).flatMap(({ option }) =>
        option ? [option] : []
      ),
    ),
    env,
    secrets: [...env.values(), ...literalCredentials(valid.flow, registry)],
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
  environment: Environment,
): Promise<PreparedRun> {
  return checkInputs(input, target, environment);
}

/** A flow as far as it can be read: what was reported is not in it. */
function readSource(
  input: InputFile,
  diagnostics: Diagnostics,
): ReadFlow | undefined {
  const reader = readerOf(input, diagnostics);
  const written = readFlowInput(input, registry, reader);
  if (!written) return;
  const { defaultAuth } = written;
  const { file } = input;
  const { locations, bareNames } = reader;
  const asked = withOverrides(written.flow, input);
  const isSound = (pointer: string) => reader.isSound(pointer);
  for (const [key, { option }] of Object.entries(input.load ?? {})) {
    if (option) reader.locate(`/profile/${key}`, { file: `--${option[0]}` });
  }
  const own = written.flow.profile.thresholds?.length ?? 0;
  for (const index of (input.thresholds ?? []).keys()) {
    reader.locate(`/profile/thresholds/${own + index}`, {
      file: "--threshold",
    });
  }
  const report = diagnostics.reporter({ file, locations });
  if (written.flow.profile.stages && !asked.profile.stages) {
    report(replacedStages(input.load ?? {}));
  }
  if (written.flow.profile.warm_up_us && !asked.profile.warm_up_us) {
    report({
      at: "/profile/warm_up_us",
      code: "no-effect",
      severity: "warning",
      message: "`warm_up` has no effect here: each trial warms the next one up",
    });
  }
  const opened = validateFlow(asked, registry, report, {
    ...(defaultAuth && { defaultAuth }),
    bareNames,
    isSound,
  });
  // Without the default auth, which is no step.
  const steps = opened.steps.slice(0, asked.steps.length);
  const { ir } = withLowestIr({ ...opened, steps }, registry, report);
  const flow = { ...asked, ir };
  return { flow, opened, isSound, locations, file };
}

/** @throws {InputError} with everything found, when any of it is an error */
function compiledFrom(
  { flow: read, locations, file }: ReadFlow,
  { form }: InputFile,
  diagnostics: Diagnostics,
): CompiledFlow {
  diagnostics.throwIfAny();
  const { sources, warnings } = diagnostics;
  const flow = form === "json" ? normalized(read, registry) : read;
  const text = canonical(flow);
  return { flow, canonical: text, locations, file, sources, warnings };
}

/** One file is a functional check and any load test: only the profile differs. */
function withOverrides(
  flow: Flow,
  { mode, thresholds = [], load }: InputFile,
): Flow {
  if (!mode && thresholds.length === 0 && !load) return flow;
  const profile = replacesStages(flow.profile, load)
    ? atHighest(flow.profile)
    : flow.profile;
  const judged = [...profile.thresholds ?? [], ...thresholds];
  const asked = Object.entries(load ?? {}).map(([key, { value }]) =>
    [key, value] as const
  );
  const parts = Object.entries({
    ...profile,
    ...(mode && { mode }),
    ...(judged.length > 0 && { thresholds: judged }),
    ...Object.fromEntries(asked),
  }).filter(([, value]) => value !== undefined);
  return { ...flow, profile: Object.fromEntries(parts) as Profile };
}

/** Whether other load takes the place of stages; `vus` alone carries their rates. */
function replacesStages(
  { stages }: Profile,
  { vus, hold_us, arrival }: InputFile["load"] & object = {},
): boolean {
  const carries = offersRates(stages) && typeof vus?.value === "number";
  return Boolean(hold_us || arrival || vus && !carries);
}

function replacedStages(load: InputFile["load"] & object): Diagnostic<string> {
  const options = Object.entries(load).flatMap(([key, { option }]) =>
    option && key !== "iterations" ? [`\`--${option[0]}\``] : []
  );
  const held = load.vus || load.arrival
    ? ""
    : ", and holds their highest level";
  return {
    at: "/profile/stages",
    code: "no-effect",
    severity: "warning",
    message: options.length === 0
      ? "`stages` have no effect here: the load of each run is constant"
      : `\`stages\` have no effect: ${options.join(" and ")} ${
        options.length === 1 ? "replaces" : "replace"
      } them${held}`,
  };
}

/** A target as far as it can be read; its base URLs when all of them can. */
function readTarget(
  input: InputFile,
  diagnostics: Diagnostics,
): { target: Target; bases?: PreparedRun["bases"] } | undefined {
  const reader = readerOf(input, diagnostics);
  const target = readTargetInput(input, registry, reader);
  if (!target) return;
  return reader.isSound("/base_urls")
    ? { target, bases: basesOf(target) }
    : { target };
}
