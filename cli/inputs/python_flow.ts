import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { fileURLToPath } from "node:url";
import type { InputFile } from "../../lib/compile.ts";
import { delimiter, dirname, join } from "../../lib/base/values/paths.ts";
import {
  InputError,
  refusal,
  type Severity,
} from "../../lib/base/text/diagnostic.ts";
import { onStopSignal } from "../../lib/base/process/signals.ts";
import { BenchError } from "../../lib/base/errors/bench_error.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { exitCode } from "../../lib/results/report/exit_code.ts";
import type { Console } from "../terminal/console.ts";
import { readJson } from "../../lib/base/values/read_json.ts";
import { lineOf } from "../../lib/base/text/location.ts";
import type { SourceDocument } from "../../lib/language/source/document.ts";
import { codeFrame } from "../../lib/language/source/hidden.ts";
import { statOf } from "./stat.ts";

/** Where a checkout keeps the Python SDK; a packed binary has it as well. */
const CHECKOUT_SDK = new URL("../../sdk/", import.meta.url);

/** The output of `python3 -m bench_sdk document`. */
interface PythonResult {
  readonly document?: SourceDocument;
  /** Of its paths, where that is not the folder of the file. */
  readonly directory?: string;
  /** Why there is no flow. */
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly hint: string | null;
    /** Null for the file as a whole. */
    readonly line: number | null;
    /** In UTF-16 units; null for the line as a whole, and of an earlier SDK. */
    readonly column?: number | null;
    /** Of a flow or a target that the file itself had refused. */
    readonly diagnostics?: readonly PythonDiagnostic[];
  };
}

/** A diagnostic as `bench rpc` gave it to the file. */
interface PythonDiagnostic {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/**
 * Runs a file that writes a flow with the Python SDK, and returns what it wrote
 * and the folder that its paths are relative to.
 * The file is a program: it runs with the rights of the user who starts `bench`.
 *
 * @param source the file's text, for the frame of its error
 * @param console gets what the file has printed meanwhile
 * @throws {InputError} for a file that gives none; or when there is no Python or
 *   no SDK
 * @throws {BenchError} when this process is asked to stop meanwhile
 */
export async function pythonDocument(
  file: string,
  source: string,
  console: Pick<Console, "err">,
): Promise<Pick<InputFile, "directory"> & { document: SourceDocument }> {
  const { code, stdout, stderr } = await pythonOutput(file, console);
  const said = new TextDecoder().decode(stderr);
  const { document, directory, error } = readResult(stdout);
  if ((document ?? error) && said !== "") console.err(said);
  if (document) return { document, directory: directory ?? dirname(file) };
  if (error?.diagnostics?.length) {
    throw ownError(file, source, error.diagnostics);
  }
  if (error) throw loadError(file, source, error);
  if (/No module named '?bench_sdk/.test(said)) {
    throw refusal(
      file,
      "no-bench-sdk",
      `${file} needs the Python SDK, but python3 finds no module bench_sdk`,
      "install it: pip install <checkout>/sdk, or set PYTHONPATH to that folder",
    );
  }
  const old = /^ImportError: bench_sdk needs .*but this is (.+)$/m.exec(said);
  // An SDK of an earlier version does not look at its Python.
  if (old ?? /future feature annotations is not defined/.test(said)) {
    throw refusal(
      file,
      "no-python",
      `${file} needs Python 3.9 or later, but the python3 on PATH is ${
        old?.[1] ?? "older"
      }`,
      "put a later one before it on PATH, or compile the file elsewhere: python3 -m bench_sdk compile",
    );
  }
  const last = said.trim().split("\n").at(-1) || `exit code ${code}`;
  throw refusal(file, "python", `python3 could not run ${file}: ${last}`);
}

function loadError(
  file: string,
  source: string,
  { code, message, hint, line, column }: NonNullable<PythonResult["error"]>,
): InputError {
  const written = line === null ? "" : lineOf(source, line) ?? "";
  const start = column ? column - 1 : written.search(/\S|$/);
  const text = written.slice(start).trimEnd();
  return new InputError([{
    code,
    at: {
      file,
      ...(line !== null && {
        range: { line, column: start + 1, length: Math.max(1, text.length) },
      }),
    },
    message,
    hint: hint ??
      (/No module named 'locust'/.test(message)
        ? "a locustfile is not read: record what it sends as a HAR file, through a proxy: bench import har <file>"
        : undefined),
  }], new Map([[file, codeFrame(source)]]));
}

/** The error of a file that used its flow, which was refused. */
function ownError(
  file: string,
  source: string,
  diagnostics: readonly PythonDiagnostic[],
): InputError {
  return new InputError(
    diagnostics.map(({ file, line, column, hint, ...rest }) => ({
      ...rest,
      ...(hint !== null && { hint }),
      at: {
        file,
        ...(line !== null && {
          range: { line, column: column ?? 1, length: 1 },
        }),
      },
    })),
    new Map([[file, codeFrame(source)]]),
  );
}

/** A file that takes longer is named: nothing else says what is waited for. */
const LONG_MS = 3_000;
/** A program may end in order when it is asked to. */
const GRACE_MS = 1_000;

/** The output of the file's Python, which a signal ends with this program. */
async function pythonOutput(
  file: string,
  { err }: Pick<Console, "err">,
): Promise<Deno.CommandOutput> {
  const child = startPython(file);
  const over = new AbortController();
  const stopped = Promise.withResolvers<never>();
  let isStopping = false;
  const release = onStopSignal((signal) => {
    isStopping = true;
    void endChild(child).then(() => stopped.reject(stoppedBy(signal, file)));
  });
  void systemClock.sleep(LONG_MS, over.signal).then(() => {
    if (!over.signal.aborted) err(`${file} is still loading\n`);
  });
  try {
    // A program that it has started may keep its output open.
    const output = await Promise.race([child.output(), stopped.promise]);
    // A terminal stops both, and Python may be the first to end.
    return isStopping ? await stopped.promise : output;
  } finally {
    over.abort();
    release();
  }
}

async function endChild(child: Deno.ChildProcess): Promise<void> {
  kill(child, "SIGTERM");
  await Promise.race([child.status, systemClock.sleep(GRACE_MS)]);
  kill(child, "SIGKILL");
}

/** One that has ended cannot be ended. */
function kill(child: Deno.ChildProcess, signal: Deno.Signal): void {
  ifPossible(() => child.kill(signal), undefined);
}

function stoppedBy(signal: StopSignal, file: string): BenchError {
  return new BenchError(`stopped by ${signal} while ${file} was loading`, {
    exitCode: exitCode({ signal }),
  });
}

function startPython(file: string): Deno.ChildProcess {
  try {
    return new Deno.Command("python3", {
      args: ["-m", "bench_sdk", "document", file],
      env: { PYTHONPATH: pythonPath() },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
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
  const folder = fileURLToPath(CHECKOUT_SDK);
  return statOf(join(folder, "bench_sdk/__init__.py")) && folder;
}

function readResult(stdout: Uint8Array): PythonResult {
  return ifPossible(
    () => readJson(new TextDecoder().decode(stdout)),
    {},
  ) as PythonResult;
}
