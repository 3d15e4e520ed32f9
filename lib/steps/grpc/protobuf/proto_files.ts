import type protobuf from "protobufjs";
import { dirname, isAbsolute, join } from "../../../base/values/paths.ts";
import { osReason } from "../../../base/text/os_reason.ts";
import type { BlockFiles } from "../../../language/flow/registry.ts";
import type { Library } from "./library.ts";
import {
  locate,
  type SchemaDiagnostic,
  type SchemaFile,
  syntaxError,
  unknownDialect,
} from "./syntax_error.ts";

type Nested = Readonly<Record<string, protobuf.AnyNestedObject>>;

/** A schema file that comes with the library. */
interface BundledFile {
  /** Bundled files that come first; the library's JSON does not say. */
  readonly imports: readonly string[];
  /** Adds what it declares, once its imports are there. */
  addTo(root: protobuf.Root): void;
}

interface Source {
  load(): Promise<{ readonly default: unknown }>;
  readonly imports?: readonly string[];
}

const DESCRIPTOR = "google/protobuf/descriptor.proto";
const TYPE = "google/protobuf/type.proto";
const HTTP = "google/api/http.proto";

/** Loaded when a schema imports them. */
const SOURCES: Readonly<Record<string, Source>> = {
  [DESCRIPTOR]: {
    load: () =>
      import("protobufjs/google/protobuf/descriptor.json", {
        with: { type: "json" },
      }),
  },
  "google/protobuf/source_context.proto": {
    load: () =>
      import("protobufjs/google/protobuf/source_context.json", {
        with: { type: "json" },
      }),
  },
  [TYPE]: {
    load: () =>
      import("protobufjs/google/protobuf/type.json", {
        with: { type: "json" },
      }),
  },
  "google/protobuf/api.proto": {
    load: () =>
      import("protobufjs/google/protobuf/api.json", { with: { type: "json" } }),
    imports: [TYPE],
  },
  [HTTP]: {
    load: () =>
      import("protobufjs/google/api/http.json", { with: { type: "json" } }),
  },
  "google/api/annotations.proto": {
    load: () =>
      import("protobufjs/google/api/annotations.json", {
        with: { type: "json" },
      }),
    imports: [HTTP, DESCRIPTOR],
  },
};

/** A schema file that comes with the library; undefined for others. */
async function bundledFile(
  { protobuf: { common, Namespace } }: Library,
  name: string,
): Promise<BundledFile | undefined> {
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  const json = source
    ? (await source.load()).default as protobuf.INamespace
    : Object.hasOwn(common, name)
    ? common.get(name)
    : undefined;
  if (!json) return undefined;
  // The library's JSON of a file repeats some of what its imports declare.
  const addMissing = (to: protobuf.NamespaceBase, nested: Nested) => {
    for (const [name, each] of Object.entries(nested)) {
      const known = to.get(name);
      if (!known) to.addJSON({ [name]: each });
      else if (known instanceof Namespace && !("fields" in each)) {
        addMissing(known, (each as protobuf.INamespace).nested ?? {});
      }
    }
  };
  return {
    imports: source?.imports ?? [],
    addTo: (root) => addMissing(root, json.nested ?? {}),
  };
}

/** Of one `.proto` file; those of the largest public APIs have less than one. */
const MOST_BYTES = 16 << 20;

/** A schema as a flow names it. */
export interface SchemaSource {
  /** The folder that paths are relative to, and the reader of files. */
  readonly files: BlockFiles;
  /** The `.proto` file. */
  readonly main: string;
  /** Roots that imports are looked up in, in order. */
  readonly importPaths: readonly string[];
}

/** Files read into one root, and what was wrong with them. */
interface ParsedFiles {
  readonly root: protobuf.Root;
  /** Read from disk, the main file first; those that come bundled are left out. */
  readonly files: readonly SchemaFile[];
  readonly errors: readonly SchemaDiagnostic[];
}

/** Reads a file and everything it imports. Types are not looked up yet. */
export async function parseFiles(
  library: Library,
  source: SchemaSource,
): Promise<ParsedFiles> {
  const parsing = new Parsing(library, source);
  await parsing.main();
  return parsing;
}

class Parsing implements ParsedFiles {
  readonly root: protobuf.Root;
  readonly files: SchemaFile[] = [];
  readonly errors: SchemaDiagnostic[] = [];
  /** Names as imports spell them, and paths. */
  readonly #imported = new Set<string>();
  readonly #read = new Set<string>();
  readonly #roots: readonly string[];
  readonly #main: string;

  constructor(readonly library: Library, readonly source: SchemaSource) {
    this.root = new library.protobuf.Root();
    const { files, main, importPaths } = source;
    this.#main = absolute(main, files);
    const roots = importPaths.map((path) => absolute(path, files));
    // Without import paths a schema finds its neighbours.
    this.#roots = [...roots, dirname(this.#main)];
  }

  async main(): Promise<void> {
    try {
      await this.#file(this.#main);
    } catch (error) {
      const { source: { main } } = this;
      const missing = isMissing(error);
      this.errors.push({
        code: "proto-file",
        message: missing
          ? `there is no file \`${main}\``
          : `cannot read \`${main}\`: ${osReason(error)}`,
        at: undefined,
        hint: missing ? "the path is relative to the flow file" : undefined,
      });
    }
  }

  /** Takes a file once, and what it imports. @throws what the system says */
  async #file(path: string): Promise<void> {
    if (this.#read.has(path)) return;
    const bytes = this.source.files.readBytes(path, MOST_BYTES);
    this.#read.add(path);
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      this.errors.push({
        code: "not-utf8",
        message: "the file is not valid UTF-8",
        at: locate({ name: path, text: "" }, 0),
      });
      return;
    }
    await this.#parse({ name: path, text });
  }

  async #parse(file: SchemaFile): Promise<void> {
    this.files.push(file);
    const dialect = unknownDialect(file);
    if (dialect) {
      this.errors.push(dialect);
      return;
    }
    const { protobuf } = this.library;
    const parse = (text: string, root = new protobuf.Root()) => {
      // The parser notes this on every object, for messages with a place.
      const parser: unknown = protobuf.parse;
      (parser as { filename: string }).filename = file.name;
      return protobuf.parse(text, root);
    };
    let parsed: protobuf.IParserResult;
    try {
      parsed = parse(file.text, this.root);
    } catch (error) {
      this.errors.push(syntaxError(file, error as Error, parse));
      return;
    }
    for (const name of parsed.imports ?? []) await this.#import(file, name);
    for (const name of parsed.weakImports ?? []) {
      await this.#import(file, name, true);
    }
  }

  async #import(from: SchemaFile, name: string, weak = false): Promise<void> {
    if (this.#imported.has(name)) return;
    this.#imported.add(name);
    // The library's own JSON mapping of these goes by its own definitions.
    const own = name.startsWith("google/protobuf/");
    if (own && await this.#bundled(name)) return;
    for (const root of this.#roots) {
      try {
        return await this.#file(join(root, name));
      } catch (error) {
        if (isMissing(error)) continue;
        return this.#reportImport(from, name, osReason(error));
      }
    }
    if (weak || await this.#bundled(name)) return;
    this.#reportImport(from, name);
  }

  async #bundled(name: string): Promise<boolean> {
    const file = await bundledFile(this.library, name);
    if (!file) return false;
    for (const next of file.imports) {
      if (this.#imported.has(next)) continue;
      this.#imported.add(next);
      await this.#bundled(next);
    }
    file.addTo(this.root);
    return true;
  }

  #reportImport(from: SchemaFile, name: string, why?: string): void {
    const at = from.text.search(
      new RegExp(`["']${RegExp.escape(name)}["']`),
    );
    const roots = [...new Set(this.#roots)].map((root) => `\`${root}\``);
    this.errors.push({
      code: "proto-import",
      message: why === undefined
        ? `there is no file \`${name}\` to import`
        : `cannot read \`${name}\`: ${why}`,
      at: locate(from, at, at < 0 ? 1 : name.length + 2),
      hint: why === undefined
        ? `looked in ${roots.join(", ")}; \`import_paths\` names more places`
        : undefined,
    });
  }
}

function absolute(path: string, { directory }: BlockFiles): string {
  return isAbsolute(path) ? path : join(directory, path);
}

/** Whether there is a file or a folder: the latter cannot be read as a file. */
export function isThere(path: string, files: BlockFiles): boolean {
  try {
    files.readBytes(absolute(path, files), 0);
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound ||
    (error as { code?: unknown } | null)?.code === "ENOENT";
}
