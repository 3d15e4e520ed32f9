import type { Diagnostics } from "../../base/text/diagnostics.ts";
import { decodeFlow } from "../../model/ir/decode.ts";
import type { JsonPlace } from "../../model/ir/json_text.ts";
import type { Mode } from "../../model/ir/mode.ts";
import type { Target } from "../../model/ir/target.ts";
import { concealJson } from "../source/conceal_json.ts";
import type { SourceDocument } from "../source/document.ts";
import { Reader } from "../source/reader.ts";
import { decodeSource } from "../source/source_text.ts";
import { type ParsedFlow, parseFlow, parseFlowDocument } from "./flow.ts";
import { flowHiding, withoutLiterals } from "./hiding.ts";
import { parseTarget, parseTargetDocument } from "./target.ts";

/** A flow or target, read but not understood. */
export type InputFile = TextInput | DocumentInput;

interface Input {
  /** As the user named it; `-` for standard input. */
  readonly file: string;
  /** Paths inside the file are relative to it. */
  readonly directory: string;
  /** Takes the place of the profile's mode, for a flow. */
  readonly mode?: Mode;
}

/** The bytes of a file. */
export interface TextInput extends Input {
  /** YAML text, or IR JSON. */
  readonly form: "yaml" | "json";
  readonly bytes: Uint8Array;
}

/** What a program wrote. */
export interface DocumentInput extends Input {
  readonly form: "document";
  readonly document: SourceDocument;
}

/** Reads a flow in any of its forms; every mistake of shape is reported. */
export function readFlowInput(
  input: InputFile,
  reader: Reader,
): ParsedFlow | undefined {
  return input.form === "document"
    ? parseFlowDocument(input.document, reader)
    : readFlowText(input, reader);
}

/** Reads a target, likewise. */
export function readTargetInput(
  input: InputFile,
  reader: Reader,
): Target | undefined {
  return input.form === "document"
    ? parseTargetDocument(input.document, reader)
    : readTargetText(input, reader);
}

/** Collects what reading `input` finds. */
export function readerOf(
  { file, form }: InputFile,
  diagnostics: Diagnostics,
): Reader {
  return new Reader(file, form === "document" ? "sdk" : "yaml", diagnostics);
}

function readFlowText(
  { bytes, form }: TextInput,
  reader: Reader,
): ParsedFlow | undefined {
  const text = decodeSource(bytes, reader);
  if (text === undefined) return;
  return form === "yaml" ? parseFlow(text, reader) : readIr(text, reader);
}

/** IR JSON has no source map: its diagnostics go by pointer. */
function readIr(
  text: string,
  reader: Reader,
): ParsedFlow | undefined {
  reader.text = text;
  let illegal: JsonPlace | undefined;
  const flow = decodeFlow(text, ({ at }) => {
    if (typeof at === "object") illegal ??= at;
  });
  if (flow) return { flow: withoutLiterals(flow) };
  // What is wrong is reported of a text without the credentials in it.
  reader.text = concealJson(text, flowHiding);
  const locate = (at: JsonPlace | string) =>
    typeof at === "string"
      ? { file: reader.file, pointer: at }
      : reader.at({ ...at, length: 1 });
  const valid = decodeFlow(
    reader.text,
    (each) => reader.report({ ...each, at: locate(each.at) }),
  );
  if (valid && illegal) {
    reader.report({
      at: locate(illegal),
      code: "json-syntax",
      message:
        "a credential in this flow has a character or an escape that JSON does not have",
      hint: "credentials come from the environment: {{ env.* }}",
    });
  }
  return undefined;
}

function readTargetText(
  { bytes }: TextInput,
  reader: Reader,
): Target | undefined {
  const text = decodeSource(bytes, reader);
  return text === undefined ? undefined : parseTarget(text, reader);
}
