import type { InputFile } from "../../lib/compile.ts";
import { ExpressionError } from "../../lib/base/errors/bench_error.ts";
import { type Diagnostic, InputError } from "../../lib/base/text/diagnostic.ts";
import { parseThreshold } from "../../lib/language/expressions/threshold.ts";
import {
  parsePrecision,
  stopOnBreach,
  stopWhenSure,
} from "../../lib/engine/run_context/early_end.ts";
import { formatDuration } from "../../lib/base/values/duration.ts";
import { rate } from "../../lib/language/fields/durations.ts";
import { ramp } from "../../lib/language/flow/ramp.ts";
import type { Listener } from "../../lib/run.ts";
import type { FlagsOf } from "./option.ts";
import type { LOAD } from "./shared_options.ts";

type LoadFlags = FlagsOf<typeof LOAD>;

/** Flags about how a run is judged and ended. */
interface JudgingFlags {
  readonly threshold?: readonly string[];
  readonly stopOnBreach?: boolean;
  readonly until?: string;
}

/**
 * A flow with more thresholds to judge its run by.
 *
 * @throws {InputError} that says which ones are wrong, and how
 */
export function withThresholds(
  input: InputFile,
  { threshold = [] }: Pick<JudgingFlags, "threshold">,
): InputFile {
  if (threshold.length === 0) return input;
  const thresholds = readAll("--threshold", parseThreshold, threshold);
  return { ...input, thresholds };
}

/**
 * A flow with other load than its profile's.
 *
 * @throws {InputError} that says which flag is wrong, and how
 */
export function withLoad(input: InputFile, flags: LoadFlags): InputFile {
  const { vus, hold, iterations } = flags;
  const levels = vus ?? read("--ramp", ramp.parse!, flags.ramp);
  const arrival = read("--rate", rate.parse!, flags.rate);
  const load: InputFile["load"] & object = {
    ...(levels !== undefined && {
      vus: {
        value: levels,
        option: flags.ramp === undefined
          ? ["vus", String(vus)]
          : ["ramp", flags.ramp],
      },
    }),
    ...(hold !== undefined && {
      hold_us: { value: hold, option: ["hold", formatDuration(hold)] },
    }),
    ...(iterations !== undefined && {
      iterations: {
        value: iterations,
        option: ["iterations", String(iterations)],
      },
    }),
    ...(arrival && {
      arrival: { value: arrival, option: ["rate", flags.rate!] },
    }),
  };
  return Object.keys(load).length === 0 ? input : { ...input, load };
}

function read<T>(
  flag: string,
  parse: (text: string) => T,
  text: string | undefined,
): T | undefined {
  return text === undefined ? undefined : readAll(flag, parse, [text])[0];
}

/** The values of an option that may be repeated. */
function readAll<T>(
  flag: string,
  parse: (text: string) => T,
  texts: readonly string[],
): T[] {
  const wrong: Diagnostic[] = [];
  const values = texts.flatMap((text) => {
    try {
      return [parse(text)];
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const { code, message, hint } = error;
      wrong.push({ code, at: { file: flag }, message, hint });
      return [];
    }
  });
  if (wrong.length > 0) throw new InputError(wrong, new Map());
  return values;
}

/** The options that end a run before its plan does. */
export function endingOptions(
  { stopOnBreach: breach, until }: JudgingFlags,
): readonly Listener[] {
  const goal = read("--until", parsePrecision, until);
  return [
    ...breach ? [stopOnBreach()] : [],
    ...goal ? [stopWhenSure(goal)] : [],
  ];
}
