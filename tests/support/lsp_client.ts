import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CommandOptions } from "./bench.ts";
import { changed, cursorIn } from "./editor.ts";
import { RpcClient, type RpcMessage } from "./rpc_client.ts";

/** A position as the protocol counts: from 0, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The position of `offset` in `text`. */
export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length - 1, character: lines.at(-1)!.length };
}

/** The offset in `text` of a position. */
export function offsetAt(text: string, { line, character }: Position): number {
  const before = text.split("\n").slice(0, line);
  return before.reduce((sum, each) => sum + each.length + 1, character);
}

/** An edit as it is sent. */
export interface SentEdit {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly newText: string;
}

/** A diagnostic as it is sent. */
export interface SentDiagnostic {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly severity: number;
  readonly code: string;
  readonly message: string;
}

/** An editor with files of one folder. */
export class Editor implements AsyncDisposable {
  readonly client: RpcClient;
  readonly #notes: RpcMessage[] = [];
  readonly #texts = new Map<string, string>();
  readonly #versions = new Map<string, number>();
  #id = 0;
  #version = 0;

  constructor(readonly folder: string, options: CommandOptions = {}) {
    this.client = new RpcClient({ cwd: folder, ...options }, "lsp");
  }

  /** Starts a client and lets both sides say hello. */
  static async start(
    folder: string,
    params: object = {},
    options: CommandOptions = {},
  ): Promise<Editor> {
    const editor = new Editor(folder, options);
    await editor.ask("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: {},
      ...params,
    });
    await editor.notify("initialized", {});
    return editor;
  }

  uri(file: string): string {
    return pathToFileURL(join(this.folder, file)).href;
  }

  // deno-lint-ignore no-explicit-any -- tests look into it
  async ask(method: string, params?: unknown): Promise<any> {
    const { result, error } = await this.response(method, params);
    if (error) throw new Error(`${method}: ${error.code}: ${error.message}`);
    return result;
  }

  /** The response as it is, an error included. */
  async response(method: string, params?: unknown): Promise<RpcMessage> {
    return await this.client.ask(++this.#id, method, params, this.#notes);
  }

  async notify(method: string, params?: unknown): Promise<void> {
    await this.client.send({ method, ...(params !== undefined && { params }) });
  }

  async open(file: string, text: string): Promise<void> {
    this.#texts.set(file, text);
    const document = {
      uri: this.uri(file),
      languageId: "yaml",
      version: this.#nextVersion(file),
      text,
    };
    await this.notify("textDocument/didOpen", { textDocument: document });
  }

  /** Gives an open file another text, as one change of all of it. */
  async change(file: string, text: string): Promise<void> {
    this.#texts.set(file, text);
    await this.notify("textDocument/didChange", {
      textDocument: { uri: this.uri(file), version: this.#nextVersion(file) },
      contentChanges: [{ text }],
    });
  }

  /** Changes a part of one line of an open file. */
  async edit(
    file: string,
    { line, from, to, text }: {
      readonly line: number;
      readonly from: number;
      readonly to: number;
      readonly text: string;
    },
  ): Promise<void> {
    const range = {
      start: { line, character: from },
      end: { line, character: to },
    };
    this.#texts.set(file, this.applied(file, [{ range, newText: text }]));
    await this.notify("textDocument/didChange", {
      textDocument: { uri: this.uri(file), version: this.#nextVersion(file) },
      contentChanges: [{ range, text }],
    });
  }

  /** The text of an open file with edits as the server sends them. */
  applied(file: string, edits: readonly SentEdit[]): string {
    const text = this.#texts.get(file)!;
    return changed(
      text,
      edits.map(({ range: { start, end }, newText }) => ({
        start: offsetAt(text, start),
        end: offsetAt(text, end),
        text: newText,
      })),
    );
  }

  #nextVersion(file: string): number {
    this.#versions.set(file, ++this.#version);
    return this.#version;
  }

  async close(file: string): Promise<void> {
    this.#texts.delete(file);
    await this.notify("textDocument/didClose", {
      textDocument: { uri: this.uri(file) },
    });
  }

  async closeAll(): Promise<void> {
    for (const file of [...this.#texts.keys()]) await this.close(file);
  }

  /** What is said of `file` next, for the text it has now. */
  async diagnostics(file: string): Promise<SentDiagnostic[]> {
    for (;;) {
      const { uri, version, diagnostics } = await this.#published();
      const stale = this.#texts.has(file) &&
        version !== this.#versions.get(file);
      if (uri === this.uri(file) && !stale) return diagnostics;
    }
  }

  /** The file of which something is said next, and what. */
  async anyDiagnostics(): Promise<[uri: string, SentDiagnostic[]]> {
    const { uri, diagnostics } = await this.#published();
    return [uri, diagnostics];
  }

  async #published() {
    for (;;) {
      const note = this.#notes.shift() ?? await this.client.receive();
      if (!note) throw new Error("the server ended");
      if (note.method === "textDocument/publishDiagnostics") return note.params;
    }
  }

  /** Asks about the cursor in `marked`, which becomes the file's text. */
  async at(
    method: string,
    file: string,
    marked: string,
    more: object = {},
    // deno-lint-ignore no-explicit-any -- tests look into it
  ): Promise<any> {
    const { text, offset } = cursorIn(marked);
    if (!this.#texts.has(file)) await this.open(file, text);
    else if (this.#texts.get(file) !== text) await this.change(file, text);
    return await this.ask(`textDocument/${method}`, {
      textDocument: { uri: this.uri(file) },
      position: positionAt(text, offset),
      ...more,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client[Symbol.asyncDispose]();
  }
}
