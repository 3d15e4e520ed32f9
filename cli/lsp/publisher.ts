import type { Diagnostic } from "vscode-languageserver";
import type { Checked, Checks } from "./checks.ts";
import { editorDiagnostic } from "./diagnostics.ts";
import { pathOf, type Workspace } from "./workspace.ts";

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
  /** What the check of a file found, by its URI, by the URI it is about. */
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

  /** What is known of the text that is open at `uri` right now. */
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
      const list = files.get(at) ?? [];
      files.set(at, list);
      list.push(editorDiagnostic(each, text ?? ""));
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
