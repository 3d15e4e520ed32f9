import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, refusal } from "../text/diagnostic.ts";

/** Where a checkout keeps the Python SDK; a compiled binary has no such folder. */
const CHECKOUT_SDK = new URL("../../sdk/", import.meta.url);

/** One mistake as `python3 -m bench_sdk compile --diagnostics json` writes it. */
interface PythonMistake {
  readonly line: number | null;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/**
 * Compiles a flow written with the Python SDK to its IR JSON. The file is a
 * program: it runs with the rights of whoever starts `bench`.
 *
 * @param source the file's text, for the frames of its mistakes
 * @throws {InputError} for a mistake in the flow, at its line; or when there is
 *   no Python or no SDK
 */
export async function compilePython(
  file: string,
  source: string,
): Promise<Uint8Array> {
  const { code, stdout, stderr } = await startPython(file);
  if (code === 0) return stdout;
  const mistakes = readMistakes(stdout);
  if (mistakes) {
    const diagnostics = mistakes.map(({ line, code, message, hint }) => ({
      code,
      file,
      message,
      ...(line !== null && { span: wholeLine(source, line) }),
      ...(hint !== null && { hint }),
    }));
    throw new InputError(diagnostics, new Map([[file, source]]));
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

/** Python tells the line of a mistake; the frame marks what stands on it. */
function wholeLine(source: string, line: number) {
  const text = source.split("\n")[line - 1] ?? "";
  const start = text.length - text.trimStart().length;
  return {
    line,
    column: start + 1,
    length: Math.max(1, text.trim().length),
  };
}
