import type { World } from "../../lib/compile.ts";
import { readInput } from "../../lib/base/text/read_input.ts";

/** The machine this runs on. */
export const systemWorld: World = {
  env: (name) => Deno.env.get(name),
  readBytes: readInput,
};
