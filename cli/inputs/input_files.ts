import { dirname } from "../../lib/base/values/paths.ts";
import type { Mode } from "../../lib/model/mode.ts";
import type { InputFile } from "../../lib/compile.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import { shellWord } from "../../lib/base/text/display.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import {
  readStandardInput,
  UnreadInput,
} from "../../lib/base/text/read_input.ts";
import {
  MAX_FILE_BYTES,
  TOO_LARGE_HINT,
} from "../../lib/language/source/source_text.ts";
import type { Console } from "../terminal/console.ts";
import { pythonDocument } from "./python_flow.ts";
import { findTarget, isFile, nearFile, shownPath } from "./target_lookup.ts";
import { type InputEnvironment, systemEnvironment } from "./environment.ts";

/**
 * Reads a flow: a `.yaml`/`.yml` file, IR JSON (`.json`), a Python file
 * (`.py`), which is run and writes one, or `-` for IR JSON on standard input,
 * whose fixture paths are relative to the current directory.
 *
 * @throws {InputError} when there is no such file, or Python cannot compile it
 */
export async function readFlowFile(
  name: string,
  console: Console,
  mode?: Mode,
  environment = systemEnvironment,
): Promise<InputFile> {
  const file = await readAny(name, console, environment);
  return mode === undefined ? file : { ...file, ...modeOption(mode) };
}

/** A mode that an option asks for. */
export function modeOption(value: Mode): Pick<InputFile, "mode"> {
  return { mode: { value, option: ["mode", value] } };
}

async function readAny(
  name: string,
  console: Console,
  environment: InputEnvironment,
): Promise<InputFile> {
  if (name === "-") {
    const bytes = await given("-", "flow", readStandardInput);
    return { file: "-", bytes, directory: Deno.cwd(), form: "json" };
  }
  if (name === "") {
    throw refusal("<flow>", "flow-form", "expected a flow file, got nothing");
  }
  const readFlow = () => readBytes(name, "flow", environment);
  if (/\.py$/i.test(name)) {
    const source = new TextDecoder().decode(await readFlow());
    if (environment.folder !== undefined) {
      throw refusal(
        name,
        "flow-form",
        `${name} is a program, and none is run for somebody else`,
        `write its IR: bench compile ${name} >${name.slice(0, -3)}.json`,
      );
    }
    const read = await pythonDocument(name, source, console);
    const file = read.document.files?.[0]?.name ?? name;
    return { file, form: "document", ...read };
  }
  const form = /\.ya?ml$/i.test(name)
    ? "yaml"
    : /\.json$/i.test(name)
    ? "json"
    : undefined;
  if (!form) {
    const hint = withEnding(name) ?? importHint(name);
    // That it is not there says more than that it has another ending.
    if (hint === undefined && !isFile(name)) await readFlow();
    throw refusal(
      name,
      "flow-form",
      `${name} is not a flow: expected a .yaml or .yml file, a .py file, IR in a .json file, or - for IR on standard input`,
      hint,
    );
  }
  return {
    file: name,
    bytes: await readFlow(),
    directory: dirname(name),
    form,
  };
}

/**
 * Finds and reads a target file.
 *
 * @throws {InputError} that lists every path tried
 */
export async function readTargetFile(
  name: string,
  flow: InputFile,
  environment: InputEnvironment = systemEnvironment,
): Promise<Extract<InputFile, { readonly bytes: Uint8Array }>> {
  const path = findTarget(name, flow.directory, environment);
  return {
    file: shownPath(path),
    bytes: await readBytes(path, "target", environment),
    directory: dirname(path),
    form: "yaml",
  };
}

const ENDINGS = [".bench.yaml", ".yaml", ".yml", ".py", ".json"];

/** The way out for a file of another tool. */
function importHint(name: string): string | undefined {
  if (/\.har$/i.test(name)) {
    return `import it: bench import har ${shellWord(name)}`;
  }
  return /\.(?:[cm]?[jt]s|jmx|hurl|scala|java|kt|lua)$/i.test(name)
    ? "record what the test sends as a HAR file, through a browser or a proxy: bench import har <file>"
    : undefined;
}

/** The flow that was meant by a name without its ending. */
function withEnding(name: string): string | undefined {
  const ending = ENDINGS.find((each) => isFile(name + each));
  return ending && `did you mean ${name}${ending}?`;
}

function readBytes(
  path: string,
  what: string,
  environment: InputEnvironment,
): Promise<Uint8Array> {
  return given(path, what, (most) => environment.readBytes(path, most));
}

async function given(
  path: string,
  what: string,
  read: (most: number) => Uint8Array | Promise<Uint8Array>,
): Promise<Uint8Array> {
  try {
    return await read(MAX_FILE_BYTES);
  } catch (error) {
    const missing = error instanceof Deno.errors.NotFound;
    const code = error instanceof UnreadInput ? error.code : undefined;
    throw refusal(
      path,
      code ?? "no-file",
      missing
        ? `there is no ${what} file ${path}`
        : `cannot read the ${what} file ${path}: ${osReason(error)}`,
      missing
        ? nearFile(path)
        : code === "file-too-large"
        ? TOO_LARGE_HINT
        : undefined,
    );
  }
}
