import {
  type CompletionList,
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  MessageType,
  ShowMessageNotification,
} from "vscode-languageserver";
import * as v from "valibot";
import { hover } from "../../lib/language/editor/hover.ts";
import type { Surroundings } from "../../lib/language/editor/suggestion.ts";
import { nearest } from "../../lib/base/text/suggest.ts";
import { VERSION } from "../../lib/base/values/build.ts";
import { systemEnvironment } from "../inputs/environment.ts";
import { readParams } from "../rpc/method.ts";
import { Checks, Publisher } from "./publisher.ts";
import {
  codeActions,
  completionAt,
  completionOfBegun,
  definition,
  documentSymbols,
  rangeIn,
  references,
  renameEdits,
  renameRange,
} from "./features.ts";
import { Fixtures, type OpenFile, pathOf, Workspace } from "./workspace.ts";

/** Parameters of requests, as far as they are looked at. */
const file = v.object({ uri: v.string() });
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const position = v.object({ line: whole, character: whole });
const POSITION = v.object({ textDocument: file, position });
const RANGE = v.object({
  textDocument: file,
  range: v.object({ start: position, end: position }),
});

const INITIALIZE = v.object({
  capabilities: v.record(v.string(), v.unknown()),
  rootUri: v.nullish(v.string()),
  workspaceFolders: v.nullish(v.array(file)),
});

/** @throws {ResponseError} that says what is wrong with the parameters of an `initialize` */
export function checkInitializeParams(params: unknown): void {
  readParams(INITIALIZE, params);
}

/** The errors of the options that an editor passes; what is meant for another server is none. */
function optionErrors(options: unknown): string[] {
  if (options === null || typeof options !== "object") return [];
  const { target, ...others } = options as { target?: unknown };
  return [
    ...target === undefined || typeof target === "string"
      ? []
      : ["`target` must be a string: a target's name, or the path of its file"],
    ...Object.keys(others)
      .filter((each) => nearest(each, ["target"]) !== undefined)
      .map((each) =>
        `there is no option \`${each}\`: did you mean \`target\`?`
      ),
  ];
}

/** The files that one editor has open, and the results of its requests. */
export class LanguageServer {
  readonly #workspace = new Workspace();
  readonly #fixtures = new Fixtures(this.#workspace);
  readonly #checks = new Checks(this.#workspace, this.#fixtures);
  readonly #publisher: Publisher;
  #watches = false;
  #optionErrors: readonly string[] = [];

  constructor(readonly connection: Connection) {
    this.#publisher = new Publisher(
      this.#workspace,
      this.#checks,
      (uri, diagnostics, version) =>
        // It throws at once where the client is gone.
        void Promise.try(() =>
          connection.sendDiagnostics({
            uri,
            diagnostics,
            ...(version !== undefined && { version }),
          })
        ).catch(() => {}),
      (error) => connection.console.error(String((error as Error).stack)),
    );
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(() => {
      this.#showOptionErrors();
      this.#watch();
    });
    connection.onShutdown(() => this.#publisher.stop());
    this.#followFiles();
    this.#serve();
  }

  #initialize(params: InitializeParams): InitializeResult {
    const { workspaceFolders, rootUri, capabilities } = params;
    const root = pathOf(workspaceFolders?.[0]?.uri ?? rootUri ?? "");
    if (root !== undefined) this.#workspace.enter(root);
    const options = params.initializationOptions as { target?: unknown } | null;
    if (typeof options?.target === "string") {
      this.#checks.target = options.target;
    }
    this.#optionErrors = optionErrors(options);
    this.#watches =
      capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration ??
        false;
    return {
      serverInfo: { name: "bench", version: VERSION },
      capabilities: {
        completionProvider: { triggerCharacters: TRIGGERS },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        codeActionProvider: { codeActionKinds: ["quickfix"] },
      },
    };
  }

  /** Without them an editor would check no flow against a target, and say nothing. */
  #showOptionErrors(): void {
    for (const message of this.#optionErrors) {
      void this.connection.sendNotification(ShowMessageNotification.type, {
        type: MessageType.Warning,
        message: `bench lsp: ${message}`,
      }).catch(() => {});
    }
  }

  /** Files that flows name may change without being open. */
  #watch(): void {
    if (!this.#watches) return;
    const watchers = [{ globPattern: "**/*.{csv,json,proto,yaml,yml}" }];
    void this.connection.client.register(
      DidChangeWatchedFilesNotification.type,
      { watchers },
    ).catch(() => {});
  }

  #followFiles(): void {
    const { documents } = this.#workspace;
    documents.onDidChangeContent(({ document }) =>
      this.#publisher.changed(document.uri)
    );
    documents.onDidClose(({ document: { uri } }) => {
      this.#workspace.close(uri);
      this.#publisher.closed(uri);
    });
    documents.listen(this.connection);
    this.connection.onDidChangeWatchedFiles(({ changes }) => {
      for (const { uri } of changes) this.#publisher.changed(uri);
    });
  }

  #serve(): void {
    const { connection } = this;
    connection.onCompletion((params) =>
      this.#at(
        params,
        (open, offset) => completionAt(open, offset, this.#around(open)),
      ) ?? this.#begun(params)
    );
    connection.onHover((params) =>
      this.#at(params, (open, offset) => {
        const { document, language, source } = open;
        const found = hover(document, offset, language, this.#around(open));
        return found && {
          contents: { kind: "markdown", value: found.text },
          range: rangeIn(source, found),
        };
      })
    );
    connection.onDefinition((params) =>
      this.#at(
        params,
        (open, offset) => definition(open, offset, this.#workspace),
      )
    );
    connection.onReferences((params) =>
      this.#at(
        params,
        (open, offset) =>
          references(open, offset, params.context.includeDeclaration),
        { context: v.object({ includeDeclaration: v.boolean() }) },
      )
    );
    connection.onPrepareRename((params) => this.#at(params, renameRange));
    connection.onRenameRequest((params) =>
      this.#at(
        params,
        (open, offset) => renameEdits(open, offset, params.newName),
        { newName: v.string() },
      )
    );
    connection.onDocumentSymbol((params) => {
      const { textDocument } = readParams(
        v.object({ textDocument: file }),
        params,
      );
      const open = this.#workspace.open(textDocument.uri);
      return open && documentSymbols(open);
    });
    connection.onCodeAction((params) => {
      const { textDocument: { uri }, range } = readParams(RANGE, params);
      const open = this.#workspace.open(uri);
      return open && codeActions(open, range, this.#publisher.of(uri));
    });
  }

  /**
   * Handles a request about a position of an open flow or target; null for others.
   *
   * @param more that its parameters have to have
   * @throws {ResponseError} for parameters that are none
   */
  #at<Found>(
    params: unknown,
    find: (open: OpenFile, offset: number) => Found,
    more: v.ObjectEntries = {},
  ): Found | null {
    readParams(v.object(more), params);
    const { textDocument, position } = readParams(POSITION, params);
    const open = this.#workspace.open(textDocument.uri);
    if (!open) return null;
    return find(open, open.source.offsetAt(position)) ?? null;
  }

  /** Completes the key that makes a file one of ours; null where it is something else. */
  #begun(params: unknown): Promise<CompletionList | null> | null {
    const { textDocument: { uri }, position } = readParams(POSITION, params);
    const files = this.#workspace.begun(uri);
    const [first] = files;
    return first
      ? completionOfBegun(
        files,
        first.source.offsetAt(position),
        this.#around(first),
      )
      : null;
  }

  #around({ uri }: OpenFile): Surroundings {
    const workspace = this.#workspace;
    const directory = workspace.folderOf(uri);
    const beside = (path: string) => workspace.pathBeside(uri, path);
    return {
      directory,
      readBytes: (path, most) => workspace.readBytes(path, most),
      columns: (path) => this.#fixtures.columns(beside(path)),
      list: (folder) => workspace.list(beside(folder)),
      isSet: (name) => systemEnvironment.env(name) !== undefined,
    };
  }
}

/** Characters after which something may be offered besides letters. */
const TRIGGERS = [" ", "{", ".", "/", '"', "'", "$", "(", "-"];
