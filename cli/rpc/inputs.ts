import { ErrorCodes, ResponseError } from "vscode-jsonrpc";
import type { Environment, InputFile } from "../../lib/compile.ts";
import type { SourceDocument } from "../../lib/language/source/document.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import type { Console } from "../terminal/console.ts";
import { readFlowFile, readTargetFile } from "../inputs/input_files.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import type { RequestParams, Surroundings, TargetParam } from "./method.ts";

/**
 * A request is as if its command was started in that folder.
 *
 * @returns leaves it again: a folder that a process is in cannot be removed
 *   everywhere
 */
export function enter(cwd: string | undefined): () => void {
  if (cwd === undefined) return () => {};
  const before = Deno.cwd();
  try {
    Deno.chdir(cwd);
    return () => Deno.chdir(before);
  } catch (error) {
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      `/cwd: cannot change to ${cwd}: ${osReason(error)}`,
    );
  }
}

/** The machine, with the environment a request brings along. */
export function environmentOf({ env }: Surroundings): Environment {
  return env === undefined ? systemEnvironment : {
    ...systemEnvironment,
    env: (name) => Object.hasOwn(env, name) ? env[name] : undefined,
  };
}

/** The flow of a request, read but not understood. @throws {InputError} */
export async function flowInput(
  { flow, mode }: RequestParams,
  console: Console,
): Promise<InputFile> {
  const { document, path, ir, directory = "." } = flow;
  if (path !== undefined) return await readFlowFile(path, console, mode);
  const input = { directory, ...(mode !== undefined && { mode }) };
  if (document) {
    const file = document.files?.[0]?.name ?? "flow";
    return { ...input, file, form: "document", document };
  }
  return {
    ...input,
    file: "flow",
    form: "json",
    bytes: new TextEncoder().encode(ir),
  };
}

/** Its target, likewise. @throws {InputError} */
export async function targetInput(
  target: TargetParam,
  flow: InputFile,
  environment: Environment,
): Promise<InputFile> {
  if (typeof target === "string" && !/^[a-z][a-z\d+.-]*:\/\//i.test(target)) {
    return await readTargetFile(target, flow, environment.env);
  }
  const document: SourceDocument = typeof target === "string"
    ? { value: { name: "inline", base_urls: [target] } }
    : target.document;
  const file = document.files?.[0]?.name ?? "target";
  return { file, directory: ".", form: "document", document };
}
