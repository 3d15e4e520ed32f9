import { systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import type { InputFile } from "../../lib/compile.ts";
import { type RunOptions, Stop } from "../../lib/run.ts";

/** Options of a run of one worker that nothing is shown of. */
export function unwatched(): RunOptions {
  return {
    seed: 1,
    tls: { caCerts: [], insecure: false },
    http: "auto",
    notes: [],
    workers: 1,
    clock: systemClock,
    chance: systemChance,
    stop: new Stop(),
    signal: () => undefined,
  };
}

/** A flow or a target as a program says it. */
export function documentInput(value: object): InputFile {
  return {
    file: "f",
    directory: ".",
    form: "document",
    document: { value: JSON.parse(JSON.stringify(value)) },
  };
}

/** A flow or a target as the text of a file in `directory`. */
export function yamlInput(
  file: string,
  text: string,
  directory = ".",
): InputFile {
  return {
    file,
    bytes: new TextEncoder().encode(text),
    directory,
    form: "yaml",
  };
}
