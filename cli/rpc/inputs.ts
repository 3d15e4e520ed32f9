import { ErrorCodes, ResponseError } from "vscode-jsonrpc";
import type { InputFile } from "../../lib/compile.ts";
import type { SourceDocument } from "../../lib/language/source/document.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import {
  modeOption,
  readFlowFile,
  readTargetFile,
} from "../inputs/input_files.ts";
import {
  type InputEnvironment,
  systemEnvironment,
} from "../inputs/environment.ts";
import { conceal } from "../../lib/language/source/conceal.ts";
import { credentialsOfUrl } from "../../lib/language/source/credentials.ts";
import { isAddress } from "../inputs/target_lookup.ts";
import type {
  Call,
  RequestParams,
  Surroundings,
  TargetParam,
} from "./method.ts";

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
export function environmentOf(
  { env }: Surroundings,
  { environment = systemEnvironment }: Pick<Call, "environment">,
): InputEnvironment {
  return env === undefined ? environment : {
    ...environment,
    env: (name) => Object.hasOwn(env, name) ? env[name] : undefined,
  };
}

/** The flow of a request, read but not understood. @throws {InputError} */
export async function flowInput(
  { flow, mode }: RequestParams,
  { console, environment }: Pick<Call, "console" | "environment">,
): Promise<InputFile> {
  const { document, path, text, ir, directory = "." } = flow;
  if (path === "-") {
    throw new ResponseError(
      ErrorCodes.InvalidParams,
      "/flow/path: standard input has the requests",
    );
  }
  if (path !== undefined) {
    return await readFlowFile(path, console, mode, environment);
  }
  const input = { directory, ...(mode !== undefined && modeOption(mode)) };
  if (document) {
    const file = document.files?.[0]?.name ?? "flow";
    return { ...input, file, form: "document", document };
  }
  const bytes = new TextEncoder().encode(text ?? ir);
  if (text !== undefined) {
    return { ...input, file: "flow.yaml", form: "yaml", bytes };
  }
  return {
    ...input,
    file: "flow",
    form: "json",
    bytes,
  };
}

/** The target of a request, read but not understood. @throws {InputError} */
export async function targetInput(
  target: TargetParam,
  flow: InputFile,
  environment: InputEnvironment,
): Promise<InputFile> {
  const isFree = environment.folder === undefined;
  if (typeof target === "string" && isFree && isAddress(target)) {
    const shown = conceal(target, credentialsOfUrl(target));
    throw refusal(
      "target",
      "no-target",
      `\`${shown}\` has no scheme`,
      `did you mean http://${shown}?`,
    );
  }
  if (
    typeof target === "string" &&
    // What a file of the folder does not allow is contacted by no one.
    (!isFree ||
      !/^[a-z][a-z\d+.-]*:\/\//i.test(target))
  ) {
    return await readTargetFile(target, flow, environment);
  }
  const document: SourceDocument = typeof target === "string"
    ? { value: { name: "inline", base_urls: [target] } }
    : target.document;
  const file = document.files?.[0]?.name ?? "target";
  return { file, directory: ".", form: "document", document };
}
