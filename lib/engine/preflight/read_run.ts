import { dirname, isAbsolute, join } from "../../base/values/paths.ts";
import type { Diagnostic, Diagnostics } from "../../base/text/diagnostic.ts";
import type { SourceLocation, SourceMap } from "../../base/text/location.ts";
import { osReason } from "../../base/text/os_reason.ts";
import { UnreadInput } from "../../base/text/read_input.ts";
import { type ParsedFlow, readFlow } from "../../language/flow/flow.ts";
import {
  type InputFile,
  readerOf,
  readFlowInput,
} from "../../language/flow/input.ts";
import { excessSteps, isMix, type ParsedMix } from "../../language/flow/mix.ts";
import { atHighest, offersRates } from "../../language/flow/profile.ts";
import { isFunctional } from "../../model/mode.ts";
import type { Flow, Mix, Profile } from "../../language/ir.ts";
import { Reader } from "../../language/source/reader.ts";
import {
  MAX_FILE_BYTES,
  TOO_LARGE_HINT,
} from "../../language/source/source_text.ts";
import {
  normalized,
  validateFlow,
  withLowestIr,
} from "../../language/validate/flow.ts";
import { checkProfile, stepNames } from "../../language/validate/profile.ts";
import { registry } from "../../steps/registry.ts";
import type { Environment, ReadFlow, ReadRun } from "./prepared_run.ts";

type Files = Pick<Environment, "readBytes">;

/** A flow by itself or a mix, as far as it can be read: what was reported is not in it. */
export function readRun(
  input: InputFile,
  environment: Files,
  diagnostics: Diagnostics,
): ReadRun | undefined {
  const reader = readerOf(input, diagnostics);
  const written = readFlowInput(input, registry, reader);
  if (!written) return;
  const { file, load = {} } = input;
  const report = diagnostics.reporter(reader);
  const own = "mix" in written ? written.profile : written.flow.profile;
  locateOptions(reader, input, own);
  const profile = withOverrides(own, input);
  const makesLoad = !isFunctional(profile.mode);
  if (makesLoad && own.stages && !profile.stages) {
    report(replacedStages(own, load));
  }
  if (makesLoad && own.warm_up_us && !profile.warm_up_us) {
    report({
      at: "/profile/warm_up_us",
      code: "no-effect",
      severity: "warning",
      message: "`warm_up` has no effect here: each trial warms the next one up",
    });
  }
  const isSound = (pointer: string) => reader.isSound(pointer);
  const run = { profile, isSound, file, locations: reader.locations };
  if (!("mix" in written)) {
    const { directory, form } = input;
    const parsed = { ...written, reader, directory, isIr: form === "json" };
    return { ...run, flows: [checked(parsed, profile, diagnostics)] };
  }
  const mixed = { ...written, profile, reader };
  const flows = flowsOfMix(mixed, input, environment, diagnostics);
  const named = flows.map(({ flow }) =>
    stepNames(flow, registry.kinds, flow.flow)
  );
  checkProfile(
    profile,
    {
      flows: flows.map(({ flow }) => flow.flow),
      steps: named.flatMap(({ steps }) => steps),
      silent: named.flatMap(({ silent }) => silent),
      once: named.flatMap(({ once }) => once),
    },
    // What a threshold is of may be in a file that could not be read.
    isSound,
    flows.length === written.flows.length ? report : () => {},
  );
  return {
    ...run,
    mix: written.mix,
    flows,
    locations: allLocations(reader, flows),
  };
}

/** Parts of the profile that options ask for were not written in the file. */
function locateOptions(
  reader: Reader,
  { mode, load, thresholds = [] }: InputFile,
  { thresholds: declared = [] }: Profile,
): void {
  const parts = Object.entries({ ...load, ...(mode && { mode }) });
  for (const [key, { option }] of parts) {
    if (option) reader.locate(`/profile/${key}`, { file: `--${option[0]}` });
  }
  for (const index of thresholds.keys()) {
    reader.locate(`/profile/thresholds/${declared.length + index}`, {
      file: "--threshold",
    });
  }
}

/** A flow as it was read, before anything is checked across its steps. */
interface UncheckedFlow extends ParsedFlow {
  readonly reader: Reader;
  readonly directory: string;
  readonly isIr: boolean;
}

/** Its place in a mix. */
type Place = Pick<ReadFlow, "weight" | "pointer" | "below">;

function checked(
  { flow: written, defaultAuth, reader, directory, isIr, tags = [] }:
    UncheckedFlow,
  profile: Profile,
  diagnostics: Diagnostics,
  place?: Place,
): ReadFlow {
  const { file, locations, leftTemplates } = reader;
  const pointer = place?.pointer ?? "";
  const report = diagnostics.reporter({ file, locations, pointer });
  const asked = { ...written, profile };
  const isSound = (at: string) => reader.isSound(at);
  const opened = validateFlow(asked, registry, report, {
    ...(defaultAuth && { defaultAuth }),
    notes: reader,
    isSound,
    inMix: place !== undefined,
  });
  // Without the default auth, which is no step.
  const steps = opened.steps.slice(0, asked.steps.length);
  const { ir } = withLowestIr({ ...opened, steps }, registry, report);
  const flow: Flow = { ...asked, ir };
  return {
    ...{ flow, opened, isSound, locations, file, directory, isIr, pointer },
    ...{ weight: 1, ...place },
    ...{ tags, leftTemplates },
  };
}

interface ReadMix extends ParsedMix {
  readonly reader: Reader;
}

/** The flows of a mix, without those that cannot be read. */
function flowsOfMix(
  { flows, mix, profile, reader }: ReadMix,
  input: InputFile,
  environment: Files,
  diagnostics: Diagnostics,
): ReadFlow[] {
  const names = new Set<string>();
  const withProfile: { readonly name: string; readonly at: string }[] = [];
  const report = diagnostics.reporter(reader);
  const read = flows.flatMap(({ weight, flow, directory = "." }, index) => {
    const pointer = `/flows/${index}/flow`;
    const say = (said: Omit<Diagnostic, "at">) =>
      report({ ...said, at: pointer });
    const found = typeof flow === "string"
      ? readFlowFile(flow, input, environment, diagnostics, say)
      : "node" in flow
      ? readInline(
        flow.node,
        reader,
        join(input.directory, directory),
        diagnostics,
        say,
      )
      : {
        flow: { ir: 2 as const, profile, ...flow },
        reader: new Reader(input.file, "yaml", diagnostics),
        directory: join(input.directory, directory),
        isIr: true,
      };
    if (!found) return [];
    const name = found.flow.flow;
    if (names.has(name)) {
      say({
        code: "duplicate-flow",
        message: `the flow \`${name}\` is in the mix twice`,
        hint:
          "each flow needs a name of its own, which its steps have before theirs; the same file twice is one flow with the sum of the weights",
      });
    }
    names.add(name);
    if (found.profileIsWritten) withProfile.push({ name, at: pointer });
    const below = typeof flow === "string" ? dirname(flow) : directory;
    const place = { weight, pointer, ...(below !== "." && { below }) };
    return [checked(found, profile, diagnostics, place)];
  });
  const excess = excessSteps(read.map((each) => each.flow));
  if (excess) report({ ...excess, at: "/flows" });
  const [first] = withProfile;
  if (first) {
    report({
      at: first.at,
      code: "no-effect",
      severity: "warning",
      message: `the profile of ${
        withProfile.map(({ name }) => `\`${name}\``).join(", ")
      } has no effect here: the mix \`${mix}\` has its own`,
    });
  }
  return read;
}

type Say = (said: Omit<Diagnostic, "at">) => void;

function readFlowFile(
  path: string,
  { directory }: InputFile,
  environment: Files,
  diagnostics: Diagnostics,
  say: Say,
): UncheckedFlow | undefined {
  const file = isAbsolute(path) ? path : join(directory, path);
  const form = /\.ya?ml$/i.test(file)
    ? "yaml"
    : /\.json$/i.test(file)
    ? "json"
    : undefined;
  if (!form) {
    return void say({
      code: "flow-form",
      message:
        `${path} is no flow of a mix: expected a .yaml or .yml file, or IR in a .json file`,
      hint: /\.py$/i.test(path)
        ? `write its IR: bench compile ${path} >${path.slice(0, -3)}.json`
        : undefined,
    });
  }
  const bytes = bytesOf(file, environment, say);
  if (!bytes) return;
  const part = { file, directory: dirname(file), form, bytes } as const;
  const reader = readerOf(part, diagnostics);
  const parsed = readFlowInput(part, registry, reader);
  if (!parsed) return;
  if ("mix" in parsed) return void say(mixInMix(path));
  return {
    ...parsed,
    reader,
    directory: part.directory,
    isIr: form === "json",
  };
}

function mixInMix(name: string): Omit<Diagnostic, "at"> {
  return {
    code: "mix-in-mix",
    message: `${name} is a mix itself: a mix has flows, and no other mixes`,
    hint: "write its flows here, each with its weight",
  };
}

function bytesOf(
  file: string,
  environment: Files,
  say: Say,
): Uint8Array | undefined {
  try {
    return environment.readBytes(file, MAX_FILE_BYTES);
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    const code = error instanceof UnreadInput ? error.code : undefined;
    say({
      code: code ?? "no-file",
      message: missing
        ? `there is no flow file ${file}`
        : `cannot read the flow file ${file}: ${osReason(error)}`,
      hint: code === "file-too-large" ? TOO_LARGE_HINT : undefined,
    });
  }
}

/** A flow that a program put into its mix. */
function readInline(
  node: Parameters<typeof readFlow>[0],
  { file }: Reader,
  directory: string,
  diagnostics: Diagnostics,
  say: Say,
): UncheckedFlow | undefined {
  if (isMix(node)) return void say(mixInMix("this"));
  const reader = new Reader(file, "sdk", diagnostics);
  const parsed = readFlow(node, registry, reader);
  return parsed && { ...parsed, reader, directory, isIr: false };
}

/** Where the parts of a mix and of its flows were written, by JSON Pointer into its IR. */
function allLocations(
  { locations }: Reader,
  flows: readonly ReadFlow[],
): SourceMap {
  const all = new Map<string, SourceLocation>(locations);
  for (const { locations, pointer } of flows) {
    for (const [at, location] of locations) all.set(pointer + at, location);
  }
  return all;
}

/** The IR of a run in which nothing is wrong. */
export function irOf({ mix, profile, flows }: ReadRun): Flow | Mix {
  const valid = flows.map((each) =>
    each.isIr ? normalized(each.flow, registry) : each.flow
  );
  if (mix === undefined) return valid[0]!;
  return {
    ir: 2,
    mix,
    flows: flows.map(({ weight, below }, index) => {
      const { ir: _, profile: __, ...flow } = valid[index]!;
      return { weight, ...(below && { directory: below }), flow };
    }),
    profile,
  };
}

/** One file is a functional check and any load test: only the profile differs. */
function withOverrides(
  own: Profile,
  { mode, thresholds = [], load }: InputFile,
): Profile {
  if (!mode && thresholds.length === 0 && !load) return own;
  const isCheck = mode !== undefined && isFunctional(mode.value) &&
    !isFunctional(own.mode);
  const profile = isCheck
    ? asCheck(own)
    : replacesStages(own, load)
    ? atHighest(own)
    : own;
  const judged = [...profile.thresholds ?? [], ...thresholds];
  const asked = Object.entries(load ?? {}).map(([key, { value }]) =>
    [key, value] as const
  );
  const parts = Object.entries({
    ...profile,
    ...(mode && { mode: mode.value }),
    ...(judged.length > 0 && { thresholds: judged }),
    ...Object.fromEntries(asked),
  }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(parts) as Profile;
}

/**
 * The profile of a load test for a functional check: what only loads go by is none
 * of it, and nothing that its author wrote in vain.
 */
function asCheck(profile: Profile): Profile {
  const { mode, vus, thresholds } = profile;
  return {
    mode,
    vus: typeof vus === "number" ? vus : 1,
    ...(thresholds && { thresholds }),
  };
}

/** Whether other load takes the place of stages; `vus` alone carries their rates. */
function replacesStages(
  { stages }: Profile,
  { vus, hold_us, arrival }: InputFile["load"] & object = {},
): boolean {
  const carries = offersRates(stages) && typeof vus?.value === "number";
  return Boolean(hold_us || arrival || vus && !carries);
}

function replacedStages(
  { stages }: Profile,
  load: InputFile["load"] & object,
): Diagnostic<string> {
  const options = Object.entries(load).flatMap(([key, { option }]) =>
    option && key !== "iterations" ? [`\`--${option[0]}\``] : []
  );
  const ending = options.length === 1 ? "s" : "";
  const goesOn = load.hold_us ? "hold" : "keep";
  const held = load.arrival || load.vus && !offersRates(stages)
    ? ""
    : `, and ${goesOn}${ending} their highest level`;
  return {
    at: "/profile/stages",
    code: "no-effect",
    severity: "warning",
    message: options.length === 0
      ? "`stages` have no effect here: the load of each run is constant"
      : `\`stages\` have no effect: ${
        options.join(" and ")
      } replace${ending} them${held}`,
  };
}
