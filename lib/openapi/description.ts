import {
  dirname,
  isAbsolute,
  join,
  relativePath,
} from "../base/values/paths.ts";
import { percentDecoded } from "../base/values/percent.ts";
import {
  child,
  hasHalfCharacter,
  isObject,
  type JsonObject,
  type JsonValue,
  valuesOf,
} from "../base/values/json.ts";
import { Refused } from "../base/errors/bench_error.ts";
import { decodedText } from "../base/text/decoded_text.ts";
import { InputError } from "../base/text/diagnostic.ts";
import { shellWord } from "../base/text/display.ts";
import { positionAt } from "../base/text/location.ts";
import { osReason } from "../base/text/os_reason.ts";
import { readInput } from "../base/text/read_input.ts";
import { upgraded } from "./swagger.ts";
import { readJson } from "../base/values/read_json.ts";
import { describeError, walkJson } from "../base/values/json_walk.ts";
import { conceal } from "../language/source/conceal.ts";
import { credentialsOfUrl } from "../language/source/credentials.ts";
import { parsedDocument } from "../language/source/parse_document.ts";
import { Reader } from "../language/source/reader.ts";
import { reportYamlErrors } from "../language/source/yaml.ts";

/** A description with the files it refers to. */
export interface OpenapiDocument {
  readonly root: JsonObject;
  /** A node, through its `$ref` when it has one. */
  resolve(node: JsonValue | undefined): JsonObject;
  /** The reference behind which there is no node, where this one leads to it. */
  lost(node: JsonValue | undefined): string | undefined;
  /** References that were followed and lead nowhere. */
  dangling(): (readonly [reference: string, place: string])[];
}

type Read = (path: string, most: number) => Uint8Array;

/** References that lead to references. */
const MOST_HOPS = 20;
/** Bytes of one file, and files. */
const MOST_BYTES = 32 << 20;
const MOST_FILES = 1_000;
/** Values in all files, with those behind aliases of YAML counted each time. */
const MOST_VALUES = 5_000_000;
/** Mappings and lists may lie this deep in one another. */
const MOST_LEVELS = 200;

/**
 * Reads an OpenAPI file: 3.0 to 3.2, or 2.0 in the words of 3.0. Other files are read when a reference to
 * them is followed, which the caller does where a description may have one: never
 * in data, such as an example. Nothing is fetched from the network.
 *
 * @param read reads a file, links in its path resolved
 * @throws {Refused} when it is not one; `resolve`, when it refers to what cannot be read
 */
export function readOpenapi(
  file: string,
  read: Read = readInput,
): OpenapiDocument {
  if (/^https?:\/\//i.test(file)) {
    const shown = conceal(file, credentialsOfUrl(file));
    throw new Refused(
      `${shown} is a URL, and a description is a file`,
      `nothing is fetched from the network, so download it first: curl -o api.json ${
        shellWord(shown)
      }`,
    );
  }
  const files = new Files(file, read);
  const { root } = files;
  const version = root["openapi"] ?? root["swagger"];
  if (version === undefined) {
    throw new Refused(`${file} is not an OpenAPI file: it has no \`openapi\``);
  }
  const isSwagger = root["openapi"] === undefined &&
    /^2\.0$|^2$/.test(String(version));
  if (!isSwagger && !/^3\.[012]/.test(String(version))) {
    throw new Refused(`${file} is OpenAPI ${version}, not 2.0 or 3.0 to 3.2`);
  }
  const dangling = new Map<JsonObject, string>();
  const at = (node: JsonValue | undefined): JsonObject | string => {
    let now = node;
    for (let hop = 0; hop < MOST_HOPS && isObject(now); hop++) {
      const { $ref } = now;
      if (typeof $ref !== "string") return now;
      const next = files.behind($ref, now);
      if (!isObject(next) || hop + 1 === MOST_HOPS) {
        dangling.set(now, $ref);
        return $ref;
      }
      now = next;
    }
    return {};
  };
  const resolve = (node: JsonValue | undefined) => {
    const end = at(node);
    return typeof end === "string" ? {} : end;
  };
  return {
    root: isSwagger ? upgraded(root, resolve) : root,
    resolve,
    lost(node) {
      const end = at(node);
      return typeof end === "string" ? end : undefined;
    },
    dangling: () => files.placesOf(dangling),
  };
}

/** The files of a description, all of them in its folder or below. */
class Files {
  readonly root: JsonObject;
  /** By path, links resolved. */
  readonly #read = new Map<string, JsonValue>();
  /** The file that a mapping is from. */
  readonly #fileOf = new WeakMap<object, string>();
  readonly #folder: string;
  #values = 0;

  constructor(file: string, readonly read: Read) {
    const path = realPath(file, file);
    this.#folder = dirname(path);
    const root = this.#load(path, file);
    if (!isObject(root)) {
      throw new Refused(`${file} is not an OpenAPI file: it is no mapping`);
    }
    this.root = root;
  }

  /** The node that `other.yaml#/a/b~1c` leads to (RFC 6901), from the one that says so. */
  behind(reference: string, from: JsonObject): JsonValue | undefined {
    const [, name = "", pointer = ""] = /^([^#]*)#?(.*)$/s.exec(reference)!;
    const path = this.#fileOf.get(from)!;
    const there = name === "" ? path : this.#pathOf(name, path, reference);
    if (there === undefined) return;
    let now: JsonValue | undefined = this.#load(there, reference);
    if (!pointer.startsWith("/") && (pointer !== "" || now === this.root)) {
      throw new Refused(
        `the reference \`${reference}\` cannot be followed: \`$anchor\` and \`$id\` are not read`,
        "refer to a schema by its path, such as #/components/schemas/Item",
      );
    }
    for (const part of percentDecoded(pointer).split("/").slice(1)) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof now !== "object" || now === null) return;
      now = Object.hasOwn(now, key)
        ? (now as Record<string, JsonValue>)[key]
        : undefined;
    }
    return now;
  }

  /** Where references are: `#/paths/~1a`, `b.yaml#/Item`. */
  placesOf(
    references: ReadonlyMap<JsonObject, string>,
  ): [reference: string, place: string][] {
    const found = new Map<JsonObject, string>();
    const search = (value: JsonValue, place: string) => {
      if (typeof value !== "object" || value === null) return;
      if (isObject(value) && references.has(value)) found.set(value, place);
      for (const [key, each] of Object.entries(value)) {
        search(each, child(place, key));
      }
    };
    const paths = references.keys().map((each) => this.#fileOf.get(each)!);
    for (const path of new Set(paths)) {
      const value = this.#read.get(path)!;
      const file = value === this.root ? "" : relativePath(this.#folder, path);
      search(value, `${file}#`);
    }
    return [...found].map(([node, place]) => [references.get(node)!, place]);
  }

  /** Undefined where there is no such file. */
  #pathOf(name: string, from: string, reference: string): string | undefined {
    if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(name)) {
      throw new Refused(
        `the reference \`${reference}\` leads to another place, and is not followed`,
        "put what it describes into a file beside the description",
      );
    }
    const file = percentDecoded(name);
    const asked = join(dirname(from), file);
    const found = isAbsolute(file) ? file : existing(asked, reference);
    const path = found ?? asked;
    // Links are resolved: what is inside is below the folder itself.
    const inside = relativePath(this.#folder, path);
    if (
      isAbsolute(file) || isAbsolute(inside) || /^\.\.(?:[\\/]|$)/.test(inside)
    ) {
      throw new Refused(
        `the reference \`${reference}\` leads out of the folder of the description`,
        "put what it describes into a file beside the description",
      );
    }
    return found;
  }

  #load(path: string, shown: string): JsonValue {
    const known = this.#read.get(path);
    if (known !== undefined) return known;
    if (this.#read.size >= MOST_FILES) {
      throw new Refused(`the description has more than ${MOST_FILES} files`);
    }
    const value = parsed(path, shown, this.read);
    this.#note(value, path, shown);
    this.#read.set(path, value);
    return value;
  }

  /** Notes where each mapping is from; refuses what is too deep or too much. */
  #note(value: JsonValue, path: string, shown: string): void {
    for (const [now, depth] of valuesOf(value)) {
      if (++this.#values > MOST_VALUES) {
        throw new Refused(
          `${shown} cannot be read: there are more than ${MOST_VALUES} values, those behind aliases counted each time`,
        );
      }
      if (typeof now !== "object" || now === null) continue;
      if (depth >= MOST_LEVELS) {
        throw new Refused(
          `${shown} cannot be read: its mappings and lists are more than ${MOST_LEVELS} levels deep`,
        );
      }
      this.#fileOf.set(now, path);
    }
    if (hasHalfCharacter(value)) {
      throw new Refused(
        `${shown} cannot be read: half a surrogate pair is in a text, which is not a character`,
      );
    }
  }
}

function realPath(path: string, shown: string): string {
  const found = existing(path, shown);
  if (found !== undefined) return found;
  throw new Refused(`${shown} cannot be read: it does not exist`);
}

/** The path with its links resolved; undefined where there is no such file. */
function existing(path: string, shown: string): string | undefined {
  try {
    return Deno.realPathSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw new Refused(`${shown} cannot be read: ${osReason(error)}`);
  }
}

/** YAML, of which JSON is a part that is read faster. */
function parsed(path: string, shown: string, read: Read): JsonValue {
  let text: string;
  try {
    text = decodedText(read(path, MOST_BYTES));
  } catch (error) {
    throw new Refused(`${shown} cannot be read: ${osReason(error)}`);
  }
  if (/^\s*[{[]/.test(text)) {
    try {
      return readJson(text);
    } catch {
      // A mapping of YAML may begin so, too.
    }
  }
  const document = parsedDocument(text);
  if (!document) {
    throw new Refused(`${shown} cannot be read: it is nested too deep`);
  }
  const [error] = document.errors;
  if (error) {
    throw syntaxError(text, shown) ??
      new Refused(`${shown} cannot be read: ${error.message}`);
  }
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES }) as JsonValue;
  } catch (error) {
    // Aliases of aliases, which the library counts, or too many levels.
    const why = error instanceof ReferenceError
      ? "its aliases expand to too many values"
      : "it is nested too deep";
    throw new Refused(`${shown} cannot be read: ${why}`);
  }
}

/** Where a text is neither YAML nor JSON, in the words of the form that its file's name says. */
function syntaxError(text: string, file: string): InputError | undefined {
  if (!/\.json$/i.test(file)) {
    const reader = new Reader(file);
    reportYamlErrors(text, reader);
    const { found } = reader.diagnostics;
    return found.length > 0 ? new InputError(found, new Map()) : undefined;
  }
  const wrong = walkJson(text, {});
  if (!wrong) return;
  const range = { ...positionAt(text, wrong.offset), length: 1 };
  const message = describeError(text, wrong);
  const found = { at: { file, range }, code: "bad-json", message };
  return new InputError([found], new Map());
}

/** The most that aliases add up to at one anchor. */
const MOST_ALIASES = 10_000;
