import { refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import type { RunOptions } from "../../lib/run.ts";
import {
  type InputEnvironment,
  readablePath,
  systemEnvironment,
} from "../inputs/environment.ts";
import type { FlagsOf } from "./option.ts";
import type { CONTRACT } from "./shared_options.ts";

/**
 * Reads the description of `--openapi`; undefined without one.
 *
 * @throws {Refused} when it cannot be used
 * @throws {InputError} when it may not be read
 */
export async function readDescription(
  { openapi, contract }: FlagsOf<typeof CONTRACT>,
  environment: InputEnvironment = systemEnvironment,
  read?: InputEnvironment["readBytes"],
): Promise<RunOptions["contract"]> {
  if (openapi === undefined) {
    if (contract === "fail") return;
    throw refusal(
      "--contract",
      "contract",
      "it needs --openapi as well: there is no description to hold responses against",
    );
  }
  try {
    readablePath(environment, openapi);
  } catch (error) {
    const why = `cannot read ${openapi}: ${osReason(error)}`;
    throw refusal(openapi, "no-file", why);
  }
  const { readContract } = await import("../../lib/openapi/contract.ts");
  return readContract(openapi, contract, read);
}
