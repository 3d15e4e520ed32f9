import {
  flowSchema,
  targetSchema,
} from "../../lib/language/editor/file_schema.ts";
import { registry } from "../../lib/steps/registry.ts";
import type { Console } from "../terminal/console.ts";

/** Prints a JSON Schema for editors. Returns the exit code. */
export function schemaCommand(
  of: "flow" | "target",
  console: Console,
): number {
  const schema = of === "flow" ? flowSchema(registry) : targetSchema();
  console.out(`${JSON.stringify(schema, undefined, 2)}\n`);
  return 0;
}
