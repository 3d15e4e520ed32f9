import type { World } from "../../lib/compile.ts";

/** The machine this runs on. */
export const systemWorld: World = {
  env: (name) => Deno.env.get(name),
  readBytes: (path) => Deno.readFileSync(path),
};
