import { systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import {
  type Environment,
  type InputFile,
  type PreparedRun,
  prepareRun,
} from "../../lib/compile.ts";
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

/** A run of a flow against the server at `url`; it has no files and no environment but those given. */
export function preparedFor(
  flow: InputFile,
  url: string,
  environment: Partial<Environment> = {},
): Promise<PreparedRun> {
  return prepareRun(flow, documentInput({ name: "here", base_urls: [url] }), {
    env: () => undefined,
    readBytes: () => new Uint8Array(),
    ...environment,
  });
}
