import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { fileURLToPath, pathToFileURL } from "node:url";
import { TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import {
  absolutePath,
  dirname,
  isAbsolute,
  join,
  relativePath,
} from "../../lib/base/values/paths.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { nearest } from "../../lib/base/text/suggest.ts";
import { readInput } from "../../lib/base/text/read_input.ts";
import {
  type Environment,
  type Fixture,
  readFixture,
} from "../../lib/compile.ts";
import { EditorDocument } from "../../lib/language/editor/document.ts";
import {
  type FileLanguage,
  flowLanguage,
  mixLanguage,
  targetLanguage,
} from "../../lib/language/editor/file_language.ts";
import { offeredKeys } from "../../lib/language/editor/forms.ts";
import { registry } from "../../lib/steps/registry.ts";
import { statOf } from "../inputs/stat.ts";

/** A flow or target that is open. */
export interface OpenFile {
  readonly uri: string;
  readonly version: number;
  readonly source: TextDocument;
  readonly document: EditorDocument;
  readonly language: FileLanguage;
}

/** The key that only a file of its kind has. */
export const MARKS: Readonly<Record<FileLanguage["kind"], string>> = {
  ...{ flow: "flow", mix: "mix", target: "base_urls" },
};

const YAML = /\.ya?ml$/i;

/** Nothing but comments, and at most a word that is being written. */
function isBlank(text: string): boolean {
  return /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*(?:#.*|[a-z_]*)\s*$/.test(text);
}

/** A location in a larger file is that of its beginning. */
const MOST_SHOWN = 8 << 20;

/** Files as the editor has them: unsaved text goes before what is on the disk. */
export class Workspace {
  readonly documents: TextDocuments<TextDocument> = new TextDocuments(
    TextDocument,
  );
  /** Messages name paths relative to it. */
  #root: string = Deno.cwd();
  readonly #languages = {
    mix: mixLanguage(registry),
    flow: flowLanguage(registry),
    target: targetLanguage(),
  };
  readonly #read = new Map<string, [version: number, EditorDocument]>();

  /** The folder that is worked in, as if the server was started there. */
  enter(root: string): void {
    try {
      Deno.chdir(root);
      this.#root = root;
    } catch {
      // One that cannot be entered is where the editor knows it.
    }
  }

  /** The open flow or target at `uri`; undefined for any other file. */
  open(uri: string): OpenFile | undefined {
    const source = this.documents.get(uri);
    if (!source) return;
    const { version } = source;
    const known = this.#read.get(uri);
    const document = known?.[0] === version
      ? known[1]
      : new EditorDocument(source.getText(), known?.[1]);
    const language = this.#languageOf(uri, document);
    if (!language) return;
    this.#read.set(uri, [version, document]);
    return { uri, version, source, document, language };
  }

  /**
   * A YAML file that is not yet any of ours, as each that it may become: a flow, a mix
   * or a target while it is empty, a target while it has a name alone.
   */
  begun(uri: string): readonly OpenFile[] {
    const source = this.documents.get(uri);
    if (!source || this.open(uri) || !YAML.test(uri)) return [];
    const { version } = source;
    const document = new EditorDocument(source.getText());
    const { keys } = document;
    const languages = keys.length === 0
      ? isBlank(source.getText()) ? Object.values(this.#languages) : []
      : keys.join() === "name"
      ? [this.#languages.target]
      : [];
    return languages.map((language) => ({
      ...{ uri, version, source, document, language },
    }));
  }

  close(uri: string): void {
    this.#read.delete(uri);
  }

  /** By the file's name, by what only such a file has, or by its folder. */
  #languageOf(uri: string, { keys }: EditorDocument): FileLanguage | undefined {
    const { flow, mix, target } = this.#languages;
    const isFlow = /\.bench\.ya?ml$/i.test(uri);
    if (isFlow) return keys.includes("mix") ? mix : flow;
    if (!YAML.test(uri) && pathOf(uri) !== undefined) return;
    const marked = Object.values(this.#languages).find(({ kind }) =>
      keys.includes(MARKS[kind])
    );
    if (marked) return marked;
    const known = offeredKeys(target.forms.root, undefined, 0)
      .map(({ key }) => key);
    // A key that is misspelt is no key of anything else.
    const isTarget = /\/targets\/[^/]+$/.test(uri) &&
      keys.every((key) => nearest(key, known));
    return isTarget ? target : undefined;
  }

  /** The folder of a file; the workspace's own for one without a path. */
  folderOf(uri: string): string {
    const path = pathOf(uri);
    return path === undefined ? this.#root : dirname(path);
  }

  /** `path` as messages name it. */
  shown(path: string): string {
    const short = relativePath(this.#root, path) || ".";
    return short.startsWith("..") || isAbsolute(short) ? path : short;
  }

  /** Where a path of a message is. */
  absolute(path: string): string {
    return absolutePath(this.#root, path);
  }

  /** Where the file is that the file at `uri` calls `path`. */
  pathBeside(uri: string, path: string): string {
    return absolutePath(this.folderOf(uri), path);
  }

  /** The URI of a file; that of the editor where it is open. */
  uriOf(path: string): string {
    return this.#openAt(path)?.uri ?? pathToFileURL(path).href;
  }

  /** The text of a file as it is now. @throws as `readInput` does */
  readBytes(path: string, most: number): Uint8Array {
    const absolute = this.absolute(path);
    const document = this.#openAt(absolute);
    return document
      ? new TextEncoder().encode(document.getText())
      : readInput(absolute, most);
  }

  /** The text of a file as it is now; undefined when it cannot be read. */
  textAt(uri: string): string | undefined {
    const open = this.documents.get(uri);
    if (open) return open.getText();
    const path = pathOf(uri);
    if (path === undefined) return undefined;
    const bytes = ifPossible(() => readInput(path, MOST_SHOWN), undefined);
    return bytes && new TextDecoder().decode(bytes);
  }

  /**
   * A stamp that changes whenever what `readBytes` gives may have changed, and the
   * size on the disk: 0 for a file that is not there, or is open.
   */
  stamp(path: string): { readonly stamp: string; readonly size: number } {
    const absolute = this.absolute(path);
    const document = this.#openAt(absolute);
    if (document) return { stamp: `open ${document.version}`, size: 0 };
    const info = statOf(absolute);
    if (!info) return { stamp: "missing", size: 0 };
    const { size, mtime } = info;
    return { stamp: `${size} ${mtime?.getTime()}`, size };
  }

  /** Names in a folder, those of folders with a `/`; hidden ones are left out. */
  list(folder: string): string[] {
    return ifPossible(() => [...Deno.readDirSync(folder)], [])
      .filter(({ name }) => !name.startsWith("."))
      .map(({ name, isDirectory, isSymlink }) =>
        isDirectory || (isSymlink && statOf(join(folder, name))?.isDirectory)
          ? `${name}/`
          : name
      ).sort();
  }

  #openAt(path: string): TextDocument | undefined {
    return this.documents.all().find(({ uri }) => pathOf(uri) === path);
  }
}

/** The path of a file URI; undefined for text that is in no file of this machine. */
export function pathOf(uri: string): string | undefined {
  return uri.startsWith("file:")
    ? ifPossible(() => fileURLToPath(uri), undefined)
    : undefined;
}

/** Larger fixtures are not read while a flow is written. */
const MAX_BYTES = 8 << 20;

type Read = NonNullable<Environment["readFixture"]>;

/** Fixtures by path, each read once a version. */
export class Fixtures {
  readonly #known = new Map<
    string,
    {
      readonly stamp: string;
      readonly result: Fixture | InputError | undefined;
    }
  >();

  constructor(readonly workspace: Workspace) {}

  /** As `Environment.readFixture`. */
  readonly read: Read = (path, format) => {
    const key = `${format} ${this.workspace.absolute(path)}`;
    const { stamp, size } = this.workspace.stamp(path);
    let known = this.#known.get(key);
    if (known?.stamp !== stamp) {
      const result = size > MAX_BYTES ? undefined : this.#load(path, format);
      known = { stamp, result };
      this.#known.set(key, known);
    }
    if (known.result instanceof InputError) throw known.result;
    return known.result;
  };

  /** The columns of a fixture; none when it cannot be read. */
  columns(path: string): readonly string[] {
    try {
      return this.read(path, /\.json$/i.test(path) ? "json" : "csv")?.columns ??
        [];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  }

  #load(...[path, format]: Parameters<Read>) {
    try {
      return readFixture(
        path,
        format,
        (path, most) => this.workspace.readBytes(path, most),
      );
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
  }
}
