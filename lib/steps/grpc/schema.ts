import {
  parseTemplate,
  wholeReference,
} from "../../language/expressions/template.ts";
import { below } from "../../base/text/diagnostic.ts";
import { checkMessage, type Templated } from "./protobuf/message_check.ts";
import { findMethod, type UnaryMethod } from "./protobuf/method.ts";
import { readSchema, type SchemaReading } from "./protobuf/schema.ts";
import type { Library } from "./protobuf/library.ts";
import type { GrpcBlock } from "./block.ts";
import type { BlockDiagnostic, BlockFiles } from "../../language/flow/kind.ts";

/** Schemas by what they are read from: steps of one run share them. */
const readings = new WeakMap<BlockFiles, Map<string, Promise<SchemaReading>>>();

/** Readings whose errors were reported; other steps with that schema say nothing. */
const reported = new WeakSet<SchemaReading>();

/**
 * The method a block names, from a schema that was checked before.
 *
 * @throws {Error} when it cannot be called after all
 */
export async function openMethod(
  block: GrpcBlock,
  files: BlockFiles,
): Promise<{ readonly method: UnaryMethod; readonly library: Library }> {
  const { schema, errors } = await readingOf(block, files);
  if (!schema) throw new Error(errors[0]!.message);
  const method = findMethod(schema, block.method, block.proto);
  if ("code" in method) throw new Error(method.message);
  return { method, library: schema.library };
}

/** What is wrong with a block's schema, its method and its message. */
export async function schemaProblems(
  block: GrpcBlock,
  files: BlockFiles,
): Promise<BlockDiagnostic[]> {
  const reading = await readingOf(block, files);
  const { schema, errors } = reading;
  if (!schema) {
    const known = reported.has(reading);
    reported.add(reading);
    return errors.flatMap(({ at, ...rest }): BlockDiagnostic[] => {
      if (!at) return [{ ...rest, at: "/proto" }];
      return known ? [] : [{ ...rest, at }];
    });
  }
  const method = findMethod(schema, block.method, block.proto);
  if ("code" in method) return [method];
  return checkMessage(
    method.request,
    block.message ?? {},
    schema.library,
    templated,
  ).map((each) => ({ ...each, at: below("/message", each.at) }));
}

function readingOf(
  { proto, import_paths = [] }: GrpcBlock,
  files: BlockFiles,
): Promise<SchemaReading> {
  let known = readings.get(files);
  if (!known) readings.set(files, known = new Map());
  const key = JSON.stringify([proto, import_paths]);
  let reading = known.get(key);
  if (!reading) {
    reading = readSchema({
      files,
      main: proto,
      importPaths: import_paths,
    });
    known.set(key, reading);
  }
  return reading;
}

/** `{{ env.* }}` is always a string; any other template can have any type. */
const templated: Templated = (text) => {
  try {
    const whole = wholeReference(text);
    if (whole) return whole.root === "env" ? "part" : "whole";
    return parseTemplate(text).some((part) => typeof part !== "string")
      ? "part"
      : "none";
  } catch {
    return "none";
  }
};
