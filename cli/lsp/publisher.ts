import {
  type Diagnostic,
  DiagnosticSeverity,
  type Range,
} from "vscode-languageserver";
import {
  type Diagnostic as Found,
  InputError,
  isError,
} from "../../lib/base/text/diagnostic.ts";
import { lineOf } from "../../lib/base/text/location.ts";
import {
  checkInputs,
  checkTarget,
  type Environment,
  type InputFile,
} from "../../lib/compile.ts";
import { MAX_FILE_BYTES } from "../../lib/language/source/source_text.ts";
import { readTargetFile } from "../inputs/input_files.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import {
  type Fixtures,
  type OpenFile,
  pathOf,
  type Workspace,
} from "./workspace.ts";

/** Rules about the environment of a run, which is not the editor's. */
const OF_THE_RUN: readonly string[] = [
  "missing-env",
  "empty-env",
  "short-secret",
];

/** The parts of a diagnostic that a quick fix needs. */
export interface FixData {
  readonly message: string;
  readonly hint: string;
}

/** A diagnostic as editors show it; the hint is below the message. */
function editorDiagnostic(found: Found, text: string): Diagnostic {
  const { code, message, hint } = found;
  const data: FixData | undefined = hint === undefined
    ? undefined
    : { message, hint };
  return {
    range: rangeOf(found, text),
    severity: OF_THE_RUN.includes(code)
      ? DiagnosticSeverity.Hint
      : isError(found)
      ? DiagnosticSeverity.Error
      : DiagnosticSeverity.Warning,
    code,
    source: "bench",
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(data && { data }),
  };
}

/**
 * Where it is. Of a part whose beginning alone is known, the word that begins
 * there; the first line of a file that it is about as a whole.
 */
function rangeOf({ at: { range } }: Found, text: string): Range {
  const line = range ? range.line - 1 : 0;
  const written = lineOf(text, line + 1) ?? "";
  const start = range ? range.column - 1 : 0;
  const word = /^[\w.$-]*/.exec(written.slice(start))![0].length;
  const length = !range
    ? written.length
    : range.length > 1
    ? range.length
    : Math.max(1, word);
  // A byte order mark belongs to the editor's first line, and to none of ours.
  const before = line === 0 && text.startsWith("\ufeff") ? 1 : 0;
  return {
    start: { line, character: before + start },
    end: { line, character: before + start + length },
  };
}

/** The result of checking one file. */
interface Checked {
  readonly found: readonly Found[];
  /** The file, as the diagnostics name it. */
  readonly file: string;
  /** Absolute paths of the other files it looked at, there or not. */
  readonly read: ReadonlySet<string>;
}

/** Checks open files as `bench validate` does. */
export class Checks {
  /** The target that flows are checked against, by name or path. */
  target: string | undefined;

  constructor(readonly workspace: Workspace, readonly fixtures: Fixtures) {}

  /** Everything there is to say about an open file. Nothing is sent. */
  async check(open: OpenFile): Promise<Checked> {
    const { workspace } = this;
    const path = pathOf(open.uri);
    const file = path === undefined ? open.uri : workspace.shown(path);
    const input: InputFile = {
      file,
      form: "yaml",
      bytes: new TextEncoder().encode(open.source.getText()),
      directory: workspace.shown(workspace.folderOf(open.uri)),
    };
    const read = new Set<string>();
    const found = await this.#found(open, input, read);
    return { found, file, read };
  }

  async #found(
    open: OpenFile,
    input: InputFile,
    read: Set<string>,
  ): Promise<readonly Found[]> {
    try {
      if (open.language.kind === "target") {
        checkTarget(input);
        return [];
      }
      const target = await this.#target(input, read);
      const checked = await checkInputs(input, target, this.#environment(read));
      return checked.warnings;
    } catch (error) {
      if (error instanceof InputError) return error.diagnostics;
      throw error;
    }
  }

  /** The machine, with the texts of open files, noting what is looked at. */
  #environment(read: Set<string>): Environment {
    const { workspace, fixtures } = this;
    return {
      env: systemEnvironment.env,
      readBytes(path, most) {
        read.add(workspace.absolute(path));
        return workspace.readBytes(path, most);
      },
      readFixture(path, format) {
        read.add(workspace.absolute(path));
        return fixtures.read(path, format);
      },
    };
  }

  async #target(
    input: InputFile,
    read: Set<string>,
  ): Promise<InputFile | undefined> {
    if (this.target === undefined) return;
    const found = await readTargetFile(this.target, input);
    const path = this.workspace.absolute(found.file);
    read.add(path);
    return { ...found, bytes: this.workspace.readBytes(path, MAX_FILE_BYTES) };
  }
}

/** Sends what is wrong with a file; an empty list takes it back. */
type Publish = (
  uri: string,
  diagnostics: Diagnostic[],
  version?: number,
) => void;

/** A pause in the typing that a check waits for. */
const PAUSE_MS = 150;

/**
 * Checks files some time after they change, and those that depend on them; shows
 * the editor what is wrong with each file, whichever check found it.
 */
export class Publisher {
  /** The diagnostics of each checked file by its URI, and by the URI they are about. */
  readonly #found = new Map<string, ReadonlyMap<string, Diagnostic[]>>();
  /** Paths that the check of a file looked at. */
  readonly #read = new Map<string, ReadonlySet<string>>();
  /** The last diagnostics sent for a file, by its URI. */
  readonly #published = new Map<string, string>();
  readonly #waiting = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(
    readonly workspace: Workspace,
    readonly checks: Checks,
    readonly publish: Publish,
    /** Takes what should not have happened. */
    readonly failed: (error: unknown) => void,
  ) {}

  /** The file at `uri` has another text. */
  changed(uri: string): void {
    // What is opened is not being typed.
    this.#schedule(uri, this.#found.has(uri) ? PAUSE_MS : 0);
  }

  #schedule(uri: string, pause: number): void {
    const path = pathOf(uri);
    this.#waiting.add(uri);
    for (const [other, read] of this.#read) {
      if (path !== undefined && read.has(path)) this.#waiting.add(other);
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), pause);
  }

  /** The file at `uri` is no longer open: what its check found is taken back. */
  closed(uri: string): void {
    this.#read.delete(uri);
    this.#show(uri, new Map());
    this.#found.delete(uri);
    this.#schedule(uri, 0);
  }

  /** The latest check of the text that is open at `uri`. */
  of(uri: string): readonly Diagnostic[] {
    return this.#waiting.has(uri) ? [] : this.#found.get(uri)?.get(uri) ?? [];
  }

  /** Nothing is checked any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.clear();
  }

  #start(): void {
    this.#last = this.#last.then(() => this.#checkWaiting())
      .catch(this.failed);
  }

  async #checkWaiting(): Promise<void> {
    for (const uri of [...this.#waiting]) {
      this.#waiting.delete(uri);
      const open = this.workspace.open(uri);
      if (!open) {
        if (this.#found.has(uri)) this.#show(uri, new Map());
        continue;
      }
      const checked = await this.checks.check(open);
      // Of a text that has changed meanwhile, the next check says.
      if (this.workspace.open(uri)?.version !== open.version) continue;
      this.#read.set(uri, checked.read);
      this.#show(uri, this.#byFile(uri, checked));
      // The first question about a name need not wait until all are found.
      open.language.names.of(open.document);
    }
  }

  #byFile(
    uri: string,
    { found, file }: Checked,
  ): Map<string, Diagnostic[]> {
    const files = new Map<string, Diagnostic[]>([[uri, []]]);
    for (const each of found) {
      const own = each.at.file === file;
      const about = own
        ? uri
        : this.workspace.uriOf(this.workspace.absolute(each.at.file));
      const text = this.workspace.textAt(about);
      // What is about no file at all is shown at the top of this one.
      const at = text === undefined ? uri : about;
      files.getOrInsert(at, []).push(editorDiagnostic(each, text ?? ""));
    }
    return files;
  }

  /** Publishes what the check of `uri` found, beside what other checks found. */
  #show(uri: string, found: ReadonlyMap<string, Diagnostic[]>): void {
    const before = this.#found.get(uri) ?? new Map();
    this.#found.set(uri, found);
    for (const about of new Set([...before.keys(), ...found.keys()])) {
      const all = [...this.#found.values()]
        .flatMap((each) => each.get(about) ?? []);
      const once = new Map(all.map((each) => [JSON.stringify(each), each]));
      this.#send(about, [...once.values()]);
    }
  }

  /** Sends the diagnostics of a file, unless they are known for this text. */
  #send(uri: string, diagnostics: Diagnostic[]): void {
    const version = this.workspace.documents.get(uri)?.version;
    const message = JSON.stringify([version, diagnostics]);
    if (this.#published.get(uri) === message) return;
    if (version === undefined && diagnostics.length === 0) {
      this.#published.delete(uri);
    } else this.#published.set(uri, message);
    this.publish(uri, diagnostics, version);
  }
}
