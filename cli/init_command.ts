import { dirname, join } from "node:path";
import {
  flowSchema,
  targetSchema,
} from "../lib/language/editor/file_schema.ts";
import { type InputError, refusal } from "../lib/base/text/diagnostic.ts";
import { osReason } from "../lib/base/text/os_reason.ts";
import type { Console } from "./console.ts";
import { failWith, refuseRequest } from "./fail.ts";
import { FLOW_SCHEMA, INIT_FILES, TARGET_SCHEMA } from "./init_files.ts";

/**
 * Writes a first flow with its target and fixture, and the schemas that let an
 * editor complete them. Files that are there are left alone, all of them or
 * none. Returns the exit code.
 */
export async function initCommand(
  directory: string,
  console: Console,
): Promise<number> {
  try {
    const taken = Object.keys(INIT_FILES).map((path) => join(directory, path))
      .filter(exists);
    if (taken.length > 0) {
      return refuseRequest(
        console,
        `there already: ${taken.join(", ")}; nothing was written over`,
        "give it another folder: bench init <dir>",
      );
    }
    for (const [path, text] of Object.entries(INIT_FILES)) {
      await write(join(directory, path), text, true);
      console.print(`${join(directory, path)}\n`);
    }
    // Made by this version and for it: replacing them loses nothing.
    const schemas = {
      [FLOW_SCHEMA]: flowSchema(),
      [TARGET_SCHEMA]: targetSchema(),
    };
    for (const [path, schema] of Object.entries(schemas)) {
      await write(join(directory, path), `${JSON.stringify(schema)}\n`, false);
    }
    console.err(nextSteps(directory));
    return 0;
  } catch (error) {
    return failWith(error, console, "text");
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw cannot(`look at ${path}`, path, error);
  }
}

async function write(
  path: string,
  text: string,
  createNew: boolean,
): Promise<void> {
  try {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew });
  } catch (error) {
    throw cannot(`write ${path}`, path, error);
  }
}

function cannot(what: string, file: string, error: unknown): InputError {
  return refusal(file, "no-file", `cannot ${what}: ${osReason(error)}`);
}

function nextSteps(directory: string): string {
  const inside = directory === "." ? "" : `  cd ${directory}\n`;
  return "\nNext, with the demo target running in another terminal (bench demo --serve):\n" +
    `${inside}  bench run first.bench.yaml --target demo\n`;
}
