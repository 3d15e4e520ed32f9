import type { Environment } from "../../lib/compile.ts";
import { readInput } from "../../lib/base/text/read_input.ts";

/** The machine this runs on. */
export const systemEnvironment: Environment = {
  env: (name) => Deno.env.get(name),
  readBytes: readInput,
};
