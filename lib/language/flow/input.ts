import type { Diagnostics } from "../../base/text/diagnostics.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import type { TextPosition } from "../../base/text/within.ts";
import type { Mode } from "../../model/mode.ts";
import type { Hiding } from "../source/hidden.ts";
import { concealJson } from "../source/hidden.ts";
import type { SourceDocument } from "../source/document.ts";
import { readDocument } from "../source/document_nodes.ts";
import type { Node } from "../source/node.ts";
import { Reader } from "../source/reader.ts";
import { decodeSource } from "../source/source_text.ts";
import { readYaml } from "../source/yaml.ts";
import { decodeFlow } from "./decode.ts";
import { type ParsedFlow, readFlow } from "./flow.ts";
import { flowHiding, targetHiding, withoutLiterals } from "./hiding.ts";
import type { Threshold } from "../expressions/threshold.ts";
import type { Profile } from "./profile.ts";
import type { Registry } from "./registry.ts";
import { readTarget, type Target } from "./target.ts";

type LoadKey = "vus" | "arrival" | "hold_us" | "iterations";

/** Load that is asked for outside of a flow: a part that is undefined is left out. */
type LoadOverride = {
  readonly [Key in LoadKey]?: {
    readonly value: Profile[Key] | undefined;
    /** The option that asks, by its name, and as it is typed: for errors, and for the run. */
    readonly option?: readonly [name: string, text: string];
  };
};

/** A flow or target, read but not understood. */
export type InputFile = TextInput | DocumentInput;

interface Input {
  /** As the user named it; `-` for standard input. */
  readonly file: string;
  /** Paths inside the file are relative to it. */
  readonly directory: string;
  /** Takes the place of the profile's mode, for a flow. */
  readonly mode?: Mode;
  /** Judge a run beside those of the profile, for a flow. */
  readonly thresholds?: readonly Threshold[];
  /** Takes the place of parts of the profile, for a flow. */
  readonly load?: LoadOverride;
}

/** The bytes of a file. */
interface TextInput extends Input {
  /** YAML text, or IR JSON. */
  readonly form: "yaml" | "json";
  readonly bytes: Uint8Array;
}

/** What a program wrote. */
interface DocumentInput extends Input {
  readonly form: "document";
  readonly document: SourceDocument;
}

/** Collects what reading `input` finds. */
export function readerOf(
  { file, form }: InputFile,
  diagnostics: Diagnostics,
): Reader {
  return new Reader(file, form === "document" ? "sdk" : "yaml", diagnostics);
}

/** Reads a flow in any of its forms; every error of form is reported. */
export function readFlowInput(
  input: InputFile,
  registry: Registry,
  reader: Reader,
): ParsedFlow | undefined {
  const hiding = flowHiding(registry);
  if (input.form === "json") {
    const text = decodeSource(input.bytes, reader);
    return text === undefined
      ? undefined
      : readIr(text, hiding, registry, reader);
  }
  const root = nodesOf(input, hiding, reader);
  return root && readFlow(root, registry, reader);
}

/** Reads a target, likewise. */
export function readTargetInput(
  input: InputFile,
  registry: Registry,
  reader: Reader,
): Target | undefined {
  const root = nodesOf(input, targetHiding(registry), reader);
  return root && readTarget(root, reader);
}

function nodesOf(
  input: InputFile,
  hiding: Hiding,
  reader: Reader,
): Node | undefined {
  if (input.form === "document") {
    return readDocument(input.document, reader, hiding);
  }
  const text = decodeSource(input.bytes, reader);
  return text === undefined ? undefined : readYaml(text, reader, hiding);
}

/** IR JSON has no source map: its diagnostics go by pointer. */
function readIr(
  text: string,
  hiding: Hiding,
  registry: Registry,
  reader: Reader,
): ParsedFlow | undefined {
  reader.text = text;
  let illegal: TextPosition | undefined;
  const flow = decodeFlow(text, ({ at }) => {
    if (typeof at === "object") illegal ??= at;
  });
  if (flow) return { flow: withoutLiterals(flow, registry) };
  // What is wrong is reported of a text without the credentials in it.
  reader.text = concealJson(text, hiding);
  const locate = (at: TextPosition | string): SourceLocation =>
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
