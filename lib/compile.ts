import { hash } from "node:crypto";
import { relativePath } from "./base/values/paths.ts";
import { readFixture } from "./engine/data/fixture.ts";
import type { Fixture } from "./engine/data/table.ts";
import { readInput } from "./base/text/read_input.ts";
import { canonical } from "./base/values/canonical.ts";
import { sum } from "./base/values/sum.ts";
import type { Flow, Target } from "./language/ir.ts";
import {
  type InputFile,
  readerOf,
  readTargetInput,
} from "./language/flow/input.ts";
import { flowsOf, joinedFlow } from "./language/flow/mix.ts";
import { registry } from "./steps/registry.ts";
import { checkRows, leastRequests } from "./engine/plan/budget.ts";
import { checkPlan, checkTimeouts } from "./engine/plan/plan.ts";
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
  FlowFiles,
  PreparedRun,
  ReadFlow,
  ReadRun,
} from "./engine/preflight/prepared_run.ts";
import { irOf, readRun } from "./engine/preflight/read_run.ts";
import { urlSecrets } from "./engine/preflight/url_secrets.ts";
import type { Diagnostics } from "./base/text/diagnostic.ts";
import { inputDiagnostics } from "./language/source/reader.ts";
import { literalCredentials } from "./language/validate/credentials.ts";
import { checkResolved } from "./language/validate/resolved.ts";

export { readFixture };
export type { CompiledFlow, Environment, Fixture, InputFile, PreparedRun };

/**
 * Text to IR: shape, the rules across steps, documents in the flow itself. No
 * other file is read, so that a flow compiles wherever its text is; but for the
 * flows of a mix.
 *
 * @throws {InputError} with every error there is
 */
export async function compileFlow(
  input: InputFile,
  environment: Pick<Environment, "readBytes"> = { readBytes: readInput },
): Promise<CompiledFlow> {
  const diagnostics = inputDiagnostics();
  const read = readRun(input, environment, diagnostics);
  if (!read) throw diagnostics.refusal();
  for (const each of read.flows) {
    await checkBlockDocuments(each, diagnostics.reporter(each));
  }
  return compiledFrom(read, diagnostics);
}

/** A flow that is correct by itself, and the rows its iterations are for. */
interface FlowRows {
  readonly flow: Flow;
  readonly tags: readonly string[];
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
  const read = readRun(input, environment, diagnostics);
  if (!read) throw diagnostics.refusal();
  const [first] = read.flows.map((each) =>
    readFixtures(filesOf(each, environment, diagnostics)).values().next().value
  );
  const { flow, tags } = compiledFrom(read, diagnostics);
  // Each flow of a mix has rows of its own.
  return first && read.mix === undefined
    ? { flow, tags, rows: textRows(first) }
    : { flow, tags };
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
  const read = readRun(input, environment, diagnostics);
  const destination = target && readTarget(target, diagnostics);
  if (!read) throw diagnostics.refusal();
  const found: FoundFiles[] = [];
  const weights = sum(read.flows, ({ weight }) => weight);
  for (const each of read.flows) {
    const share = each.weight / weights;
    const files = filesOf(each, environment, diagnostics);
    found.push(await checkFlow(files, read, share, destination));
  }
  if (destination && read.isSound("/profile/mode")) {
    const report = diagnostics.reporter(read);
    checkPlan(read.profile, destination.target, report);
  }
  const valid = compiledFrom(read, diagnostics);
  if (!target || !destination?.bases) return valid;
  const { bases } = destination;
  const { directory } = input;
  const env = new Map(found.flatMap((each) => [...each.env]));
  return {
    ...valid,
    directory,
    target: destination.target,
    targetFile: target.file,
    ...(target.form !== "document" && {
      targetPath: relativePath(directory, target.file),
    }),
    bases,
    loadOptions: Object.fromEntries(
      Object.values(input.load ?? {}).flatMap(({ option }) =>
        option ? [option] : []
      ),
    ),
    env,
    secrets: [
      ...env.values(),
      ...urlSecrets(env, valid.flows, bases),
      ...valid.flows.flatMap(({ flow }) =>
        literalCredentials(flow, registry, env)
      ),
    ],
    fixtures: new Map(
      found.flatMap(({ fixtures }, index) => {
        const { prefix } = valid.flows[index]!;
        return [...fixtures].map(([pool, each]) =>
          [prefix + pool, each] as const
        );
      }),
    ),
    filesSha256: joinedHash(found.map(({ filesSha256 }) => filesSha256)),
  };
}

/** The hash of one is its own. */
function joinedHash([first = "", ...rest]: readonly string[]): string {
  return rest.reduce((all, each) => hash("sha256", all + each), first);
}

function filesOf(
  read: ReadFlow,
  environment: Environment,
  diagnostics: Diagnostics,
): FlowFiles {
  const { directory } = read;
  const report = diagnostics.reporter(read);
  return { read, directory, environment, report, diagnostics };
}

/** The variables and files of a flow. */
interface FoundFiles extends Pick<PreparedRun, "env" | "fixtures"> {
  readonly filesSha256: string;
}

/**
 * Every check of one flow of a run.
 *
 * @param share of the iterations that are its own
 */
async function checkFlow(
  files: FlowFiles,
  run: ReadRun,
  share: number,
  destination: Destination | undefined,
): Promise<FoundFiles> {
  const { read, environment, report, diagnostics } = files;
  const { opened, isSound } = read;
  const env = readEnvironment(read, environment, report);
  checkResolved(opened, env, registry, isSound, report);
  const fixtures = readFixtures(files);
  checkColumns(read, fixtures, report);
  if (run.isSound("/profile")) {
    const requests = leastRequests(run.flows);
    checkRows(read.flow, fixtures, report, share, requests);
  }
  await checkBlockDocuments(read, report);
  const filesSha256 = await checkBlockFiles(files);
  if (!destination || destination.bases) {
    // A URL that was reported has no host to judge.
    const unlessWrong = diagnostics.reporter(read, { unlessWrong: true });
    checkAllowed(opened, destination?.bases, unlessWrong);
  }
  if (destination) checkTimeouts(read.flow, destination.target, report);
  return { env, fixtures, filesSha256 };
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

/** @throws {InputError} with everything found, when any of it is an error */
function compiledFrom(
  read: ReadRun,
  diagnostics: Diagnostics,
): CompiledFlow {
  diagnostics.throwIfAny();
  const { locations, file } = read;
  const { sources, warnings } = diagnostics;
  const ir = irOf(read);
  return {
    flow: joinedFlow(ir),
    flows: flowsOf(ir),
    canonical: canonical(ir),
    ...{ locations, file, sources, warnings },
    tags: read.mix === undefined ? read.flows[0]!.tags : [],
  };
}

/** A target as far as it can be read. */
interface Destination {
  readonly target: Target;
  readonly bases?: PreparedRun["bases"];
}

/** A target as far as it can be read; its base URLs when all of them can. */
function readTarget(
  input: InputFile,
  diagnostics: Diagnostics,
): Destination | undefined {
  const reader = readerOf(input, diagnostics);
  const target = readTargetInput(input, registry, reader);
  if (!target) return;
  return reader.isSound("/base_urls")
    ? { target, bases: basesOf(target) }
    : { target };
}
