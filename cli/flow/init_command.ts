import { join } from "node:path";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import {
  flowSchema,
  targetSchema,
} from "../../lib/language/editor/file_schema.ts";
import { registry } from "../../lib/steps/registry.ts";
import type { Console } from "../terminal/console.ts";
import { FLOW_SCHEMA, INIT_FILES, TARGET_SCHEMA } from "./init_files.ts";
import { isThere, writeNewFile } from "./new_files.ts";

/**
 * Writes a first flow with its target and fixture, and the schemas that let an
 * editor complete them. Files that are there are left alone, all of them or
 * none. Returns the exit code.
 */
export async function initCommand(
  directory: string,
  _: unknown,
  console: Console,
): Promise<number> {
  const taken = Object.keys(INIT_FILES).map((path) => join(directory, path))
    .filter(isThere);
  if (taken.length > 0) {
    throw new Refused(
      `there already: ${taken.join(", ")}; nothing was written over`,
      "give it another folder: bench init <dir>",
    );
  }
  for (const [path, text] of Object.entries(INIT_FILES)) {
    await writeNewFile(directory, path, text);
    console.print(`${join(directory, path)}\n`);
  }
  // Made by this version and for it: replacing them loses nothing.
  const schemas = {
    [FLOW_SCHEMA]: flowSchema(registry),
    [TARGET_SCHEMA]: targetSchema(),
  };
  for (const [path, schema] of Object.entries(schemas)) {
    await writeNewFile(directory, path, `${JSON.stringify(schema)}\n`, true);
  }
  console.err(nextSteps(directory));
  return 0;
}

function nextSteps(directory: string): string {
  const inside = directory === "." ? "" : `  cd ${directory}\n`;
  return "\nNext, with the demo target running in another terminal (bench demo --serve):\n" +
    `${inside}  bench run first.bench.yaml --target demo\n`;
}
