import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, refusal } from "../lib/base/text/diagnostic.ts";

/** Where a checkout keeps the Python SDK; a packed binary has it as well. */
const CHECKOUT_SDK = new URL("../sdk/", import.meta.url);

/** One mistake as `python3 -m bench_sdk compile --diagnostics json` writes it. */
interface PythonMistake {
  /** All of them null for the file as a whole. */
  readonly line: number | null;
  readonly column: number | null;
  readonly length: number | null;
  /** The line as it may be shown: a literal credential in it is dots. */
  readonly text: string | null;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/**
 * Compiles a flow written with the Python SDK to its IR JSON. The file is a
 * program: it runs with the rights of whoever starts `bench`.
 *
 * @param source the file's text, for the frames of its mistakes
 * @param say hears what a file that compiles has printed meanwhile
 * @throws {InputError} for a mistake in the flow, at its line; or when there is
 *   no Python or no SDK
 */
export async function compilePython(
  file: string,
  source: string,
  say: (text: string) => void,
): Promise<Uint8Array> {
  const { code, stdout, stderr } = await startPython(file);
  if (code === 0) {
    if (stderr.length > 0) say(new TextDecoder().decode(stderr));
    return stdout;
  }
  const mistakes = readMistakes(stdout);
  if (mistakes) {
    const lines = source.split("\n");
    const diagnostics = mistakes.map((mistake) => {
      const { line, column, length, text, code, message, hint } = mistake;
      if (line !== null && text !== null) lines[line - 1] = text;
      return {
        code,
        file,
        message,
        ...(line !== null && column !== null && length !== null &&
          { span: { line, column, length } }),
        ...(hint !== null && { hint }),
      };
    });
    throw new InputError(diagnostics, new Map([[file, lines.join("\n")]]));
  }
  const said = new TextDecoder().decode(stderr).trim();
  if (/No module named '?bench_sdk/.test(said)) {
    throw refusal(
      file,
      "no-bench-sdk",
      `${file} needs the Python SDK, but python3 finds no module bench_sdk`,
      "install it: pip install <checkout>/sdk, or set PYTHONPATH to that folder",
    );
  }
  throw refusal(
    file,
    "python",
    `python3 could not compile ${file}: ${
      said.split("\n").at(-1) || `exit code ${code}`
    }`,
  );
}

async function startPython(file: string): Promise<Deno.CommandOutput> {
  const args = ["-m", "bench_sdk", "compile", "--diagnostics", "json", file];
  try {
    return await new Deno.Command("python3", {
      args,
      env: { PYTHONPATH: pythonPath() },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).output();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw refusal(
      file,
      "no-python",
      `${file} is a Python flow, but there is no python3 on PATH`,
      "install Python 3.9 or later, or compile it elsewhere: python3 -m bench_sdk compile",
    );
  }
}

/** An installed SDK is found anyway; the checkout's own comes after what is set. */
function pythonPath(): string {
  const set = Deno.env.get("PYTHONPATH");
  const own = ownSdk();
  return [set, own].filter(Boolean).join(delimiter);
}

function ownSdk(): string | undefined {
  if (CHECKOUT_SDK.protocol !== "file:") return undefined;
  try {
    Deno.statSync(new URL("bench_sdk/__init__.py", CHECKOUT_SDK));
    return fileURLToPath(CHECKOUT_SDK);
  } catch {
    return undefined;
  }
}

function readMistakes(
  stdout: Uint8Array,
): readonly PythonMistake[] | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(stdout));
    return Array.isArray(value) && value.length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}
