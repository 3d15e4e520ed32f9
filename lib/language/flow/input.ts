import * as v from "valibot";
import type { Diagnostic, Diagnostics } from "../../base/text/diagnostic.ts";
import { positionAt } from "../../base/text/location.ts";
import type { TextPosition } from "../../base/text/within.ts";
import { isObject } from "../../base/values/json.ts";
import { jsonError, readJson } from "../../base/values/read_json.ts";
import type { Mode } from "../../model/mode.ts";
import type { Threshold } from "../expressions/threshold.ts";
import { describeIssues } from "../fields/issues.ts";
import { readDocument, type SourceDocument } from "../source/document.ts";
import type { Hiding } from "../source/hidden.ts";
import { entryOf, type Node } from "../source/node.ts";
import { Reader } from "../source/reader.ts";
import { decodeSource } from "../source/source_text.ts";
import { readYaml } from "../source/yaml.ts";
import {
  type Flow,
  flowSchema,
  IR_VERSION,
  IR_VERSIONS,
  type ParsedFlow,
  readFlow,
} from "./flow.ts";
import { flowHiding, targetHiding } from "./hiding.ts";
import { isMix, type Mix, mixSchema, type ParsedMix, readMix } from "./mix.ts";
import type { Profile } from "./profile.ts";
import type { Registry } from "./registry.ts";
import { readTarget, type Target } from "./target.ts";

/** Takes one diagnostic: of JSON itself by its position, else by JSON Pointer. */
type DecodeReport = (
  diagnostic: Diagnostic<string | TextPosition>,
) => void;

/**
 * Reads IR JSON strictly: unknown keys, missing keys and another IR version
 * are refused by name. The blocks of kinds and auth schemes stay sealed;
 * `validateFlow` opens them.
 */
export function decodeFlow(
  text: string,
  report: DecodeReport,
): Flow | Mix | undefined {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  const error = jsonError(json, { keepsIntegers: true });
  if (error) {
    const { at, number, ...rest } = error;
    const hint = number
      ? `as a string it keeps its digits: "${number}"`
      : /^\s*[^\s{]/.test(json)
      ? "IR is JSON, as `bench compile <flow.yaml>` prints it; a flow in YAML is given as a .yaml file"
      : undefined;
    report({ ...rest, at: positionAt(json, at), hint });
    return;
  }
  const value: unknown = readJson(json);
  if (!isObject(value)) {
    const message = "IR JSON must be an object";
    report({ at: "", code: "wrong-type", message });
    return;
  }
  const { ir } = value;
  if (!IR_VERSIONS.some((each) => each === ir)) {
    report({ code: "ir-version", ...otherVersion(ir, value) });
    return;
  }
  const schema = Object.hasOwn(value, "mix") ? mixSchema : flowSchema;
  const result = v.safeParse(
    schema as v.GenericSchema<unknown, Flow | Mix>,
    value,
  );
  if (result.success) return result.output;
  describeIssues(result.issues).forEach((each) => report(each));
}

/** JSON of another kind, by the keys that it has, and the source of an import that it is. */
const OTHER_JSON:
  readonly (readonly [keys: readonly string[], from: string])[] = [
    [["openapi"], "openapi"],
    [["swagger"], "openapi"],
    [["info", "item"], "postman"],
    [["log"], "har"],
  ];

function otherVersion(
  version: unknown,
  value: Readonly<Record<string, unknown>>,
): Omit<Diagnostic<string>, "code"> {
  if (version === undefined) {
    const [, from] = OTHER_JSON.find(([keys]) =>
      keys.every((key) =>
        Object.hasOwn(value, key)
      )
    ) ?? [];
    return {
      at: "",
      message: "`ir` is missing: this is not IR JSON",
      hint: from === undefined
        ? "`bench compile <flow.yaml>` writes IR JSON"
        : `import it: bench import ${from} <file>`,
    };
  }
  if (typeof version === "number" && version > IR_VERSION) {
    return {
      at: "/ir",
      message: `this IR is version ${version}, but this bench reads versions ${
        IR_VERSIONS.join(" and ")
      }`,
      hint: "it needs a newer bench",
    };
  }
  const is = JSON.stringify(version);
  return {
    at: "/ir",
    message: `\`ir\` must be ${IR_VERSIONS.join(" or ")}, but it is ${is}`,
  };
}

type LoadKey = "vus" | "arrival" | "hold_us" | "iterations" | "warm_up_us";

/** A part of a profile that is asked for outside of its flow. */
interface Override<T> {
  readonly value: T;
  /** The option that asks, by its name, and as it is typed: for errors, and for the run. */
  readonly option?: readonly [name: string, text: string];
}

/** Load that is asked for outside of a flow: a part that is undefined is left out. */
type LoadOverride = {
  readonly [Key in LoadKey]?: Override<Profile[Key] | undefined>;
};

/** A flow or target, read but not understood. */
export type InputFile = TextInput | DocumentInput;

interface Input {
  /** As the user named it; `-` for standard input. */
  readonly file: string;
  /** Paths inside the file are relative to it. */
  readonly directory: string;
  /** Takes the place of the profile's mode, for a flow. */
  readonly mode?: Override<Mode>;
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

/** The document of a program. */
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

/** Reads a flow or a mix in any of its forms; every error of form is reported. */
export function readFlowInput(
  input: InputFile,
  registry: Registry,
  reader: Reader,
): ParsedFlow | ParsedMix | undefined {
  const hiding = flowHiding(registry);
  if (input.form === "json") {
    const text = decodeSource(input.bytes, reader);
    return text === undefined ? undefined : readIr(text, hiding, reader);
  }
  const root = nodesOf(input, hiding, reader);
  if (!root || isOther(root, TARGET_KEYS, FLOW_KEYS, reader)) return;
  return isMix(root) ? readMix(root, reader) : readFlow(root, registry, reader);
}

/** Reads a target; every error of form is reported. */
export function readTargetInput(
  input: InputFile,
  registry: Registry,
  reader: Reader,
): Target | undefined {
  const root = nodesOf(input, targetHiding(registry), reader);
  if (!root || isOther(root, FLOW_KEYS, TARGET_KEYS, reader)) return;
  return readTarget(root, reader);
}

/** Keys that make a file what it is, and what it is then. */
interface Keys {
  readonly names: readonly string[];
  readonly what: string;
  readonly hint: string;
}

const FLOW_KEYS: Keys = {
  names: ["flow", "mix", "steps", "flows"],
  what: "a flow file, and no target",
  hint: "`--target` takes a file that lists hosts under `base_urls`",
};
const TARGET_KEYS: Keys = {
  names: ["base_urls"],
  what: "a target file, and no flow",
  hint: "give it beside a flow: bench run <flow> --target <file>",
};

/**
 * Whether a file is one of the other kind; that is its one error. A file with keys of
 * both kinds is what it was given as.
 */
function isOther(
  root: Node,
  other: Keys,
  { names }: Keys,
  reader: Reader,
): boolean {
  const [first] = other.names.flatMap((name) => entryOf(root, name) ?? []);
  if (!first || names.some((name) => entryOf(root, name))) return false;
  reader.report({
    at: first.keyAt,
    code: "other-file",
    message: `this is ${other.what}`,
    hint: other.hint,
  });
  return true;
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
  reader: Reader,
): ParsedFlow | Mix | undefined {
  reader.text = text;
  // JSON is YAML, which knows where its credentials are.
  reader.hide(() => readYaml(text, new Reader(reader.file)), hiding);
  const flow = decodeFlow(text, ({ at, ...rest }) =>
    reader.report({
      ...rest,
      at: typeof at === "string"
        ? { file: reader.file, pointer: at }
        : reader.at({ ...at, length: 1 }),
    }));
  return flow && "mix" in flow ? flow : flow && { flow };
}
