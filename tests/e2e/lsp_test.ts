import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { VERSION } from "../../lib/base/values/build.ts";
import { RpcClient, type RpcMessage } from "../support/rpc_client.ts";
import { bench, workspace } from "../support/bench.ts";
import { Editor, type SentDiagnostic } from "../support/lsp_client.ts";

const FLOW = "shop.bench.yaml";
const CSV = "name,wants\nada,engine\n";
const PROTO = `syntax = "proto3";
package shop.v1;
message Item { string id = 1; }
service Catalog { rpc Get(Item) returns (Item); }
`;

/** A flow with these lines in its second step. */
function flowWith(lines: string): string {
  return `flow: shop
data: users.csv
steps:
  - id: login
    call: POST /login
    extract: { token: $.token }
  - id: second
${lines}`;
}

const GOOD = flowWith("    call: GET /{{ token }}/{{ user.name }}\n");

/** `6:4-6:9 1 unknown-key` of each. */
function shown(diagnostics: readonly SentDiagnostic[]): string[] {
  return diagnostics.map(({ range: { start, end }, severity, code }) =>
    `${start.line}:${start.character}-${end.line}:${end.character} ${severity} ${code}`
  );
}

function folder(files: Readonly<Record<string, string>> = {}) {
  return workspace({ "users.csv": CSV, ...files });
}

Deno.test("lsp: initialize says what there is, shutdown and exit end it with 0", async () => {
  using directory = folder();
  await using editor = new Editor(directory.path);
  const early = await editor.response("textDocument/hover", {});
  equal(early.error?.code, -32002);
  const { serverInfo, capabilities } = await editor.ask("initialize", {
    processId: null,
    rootUri: null,
    capabilities: {},
  });
  deepEqual(serverInfo, { name: "bench", version: VERSION });
  deepEqual(Object.keys(capabilities).sort(), [
    "codeActionProvider",
    "completionProvider",
    "definitionProvider",
    "documentSymbolProvider",
    "hoverProvider",
    "referencesProvider",
    "renameProvider",
    "textDocumentSync",
  ]);
  equal(await editor.ask("shutdown"), null);
  await editor.notify("exit");
  deepEqual(await editor.client.over(), { code: 0, stderr: "" });
});

Deno.test("lsp: after shutdown every request is an invalid one, and exit ends it with 0", async () => {
  using directory = folder();
  await using editor = await Editor.start(directory.path);
  await editor.open(FLOW, GOOD);
  const params = {
    textDocument: { uri: editor.uri(FLOW) },
    position: { line: 1, character: 1 },
  };
  const served = await editor.response("textDocument/hover", params);
  equal(served.error, undefined);
  equal(await editor.ask("shutdown"), null);
  for (const method of ["textDocument/hover", "unknown", "shutdown"]) {
    const { error } = await editor.response(method, params);
    equal(error?.code, -32600, method);
  }
  await editor.notify("exit");
  deepEqual(await editor.client.over(), { code: 0, stderr: "" });
});

Deno.test("lsp: an exit without shutdown, and a client that goes away, end it with 1", async () => {
  using directory = folder();
  {
    await using editor = await Editor.start(directory.path);
    await editor.notify("exit");
    deepEqual(await editor.client.over(), { code: 1, stderr: "" });
  }
  await using editor = await Editor.start(directory.path);
  await editor.open(FLOW, GOOD);
  await editor.client.end();
  deepEqual(await editor.client.over(), { code: 1, stderr: "" });
});

Deno.test("lsp: malformed input is an error with a reason, and the next request is served", async () => {
  using directory = folder();
  await using editor = await Editor.start(directory.path);
  for (
    const [bytes, code] of [
      ["Content-Length: 3\r\n\r\n{{{", -32700],
      ["Content-Length: 2\r\n\r\n42", -32600],
    ] as const
  ) {
    await editor.client.raw(bytes);
    const { id, error } = (await editor.client.receive())!;
    deepEqual([id, error?.code], [null, code], bytes);
  }
  equal(
    (await editor.response("textDocument/unknown", {})).error?.code,
    -32601,
  );
  const wrong = await editor.response("textDocument/hover", { position: 1 });
  ok(wrong.error, JSON.stringify(wrong));
  await editor.notify("textDocument/didChange", { textDocument: {} });
  await editor.notify("textDocument/didOpen", {
    textDocument: { uri: "%zz", text: "flow: f" },
  });
  ok((await editor.at("completion", FLOW, "¦")).items.length > 0);
});

Deno.test("lsp: after a header that is none nothing more is read: an error, and exit code 1", async () => {
  await using client = new RpcClient({}, "lsp");
  await client.raw("Nonsense: 1\r\n\r\n");
  equal((await client.receive())!.error?.code, -32700);
  equal(await client.receive(), undefined);
  equal((await client.over()).code, 1);
});

Deno.test("lsp: an end of input right after a bad header, or within a message, is an error and exit code 1 too", async () => {
  for (const stdin of ["Nonsense: 1\r\n\r\n", "Content-Length: 20\r\n\r\n{"]) {
    const { code, stdout } = await bench(["lsp"], { stdin });
    match(stdout, /"code":-32700/, stdin);
    equal(code, 1, stdin);
  }
});

Deno.test("lsp: parameters that are none are invalid parameters, each named", async () => {
  using directory = folder();
  await using editor = await Editor.start(directory.path);
  await editor.open(FLOW, GOOD);
  const textDocument = { uri: editor.uri(FLOW) };
  const position = { line: 0, character: 0 };
  const rows: [method: string, params: unknown, why: RegExp][] = [
    ["hover", { textDocument, position: 1 }, /must be an object/],
    [
      "hover",
      { textDocument, position: { line: 1.5, character: 0 } },
      /`line` must be a whole number, but it is the number 1\.5$/,
    ],
    ["hover", { textDocument, position: {} }, /line/],
    ["hover", { textDocument }, /position/],
    ["hover", { textDocument: {}, position }, /uri/],
    [
      "completion",
      { textDocument, position: { line: -1, character: 0 } },
      /line/,
    ],
    [
      "definition",
      { textDocument, position: { line: 0, character: 0.5 } },
      /character/,
    ],
    ["references", { textDocument, position }, /context/],
    ["rename", { textDocument, position }, /newName/],
    ["prepareRename", { textDocument, position: null }, /position/],
    ["documentSymbol", {}, /textDocument/],
    ["codeAction", { textDocument, range: {}, context: {} }, /range/],
  ];
  for (const [method, params, why] of rows) {
    const { error } = await editor.response(`textDocument/${method}`, params);
    equal(error?.code, -32602, JSON.stringify([method, params, error]));
    match(error!.message, why);
  }
});

Deno.test("lsp: parameters that are null are left out; those of `initialize` that are none are named", async () => {
  await using client = new RpcClient({}, "lsp");
  const notes: RpcMessage[] = [];
  const rows: [params: unknown, why: RegExp][] = [
    [null, /`capabilities` is missing/],
    [{}, /`capabilities` is missing/],
    [{ capabilities: null }, /`capabilities` must be an object/],
    [{ capabilities: {}, rootUri: 5 }, /`rootUri` must be a string/],
  ];
  for (const [params, why] of rows) {
    const { error } = await client.ask(1, "initialize", params, notes);
    equal(error?.code, -32602, JSON.stringify(error));
    match(error!.message, why);
  }
  const params = { capabilities: {}, rootUri: null, workspaceFolders: null };
  ok((await client.ask(2, "initialize", params, notes)).result);
  await client.send({ method: "initialized", params: null });
  const hover = await client.ask(3, "textDocument/hover", null, notes);
  equal(hover.error?.code, -32602, JSON.stringify(hover));
  equal((await client.ask(4, "shutdown", null, notes)).result, null);
  await client.send({ method: "exit", params: null });
  deepEqual(await client.over(), { code: 0, stderr: "" });
});

Deno.test("lsp: responses are whole also where `exit` does not wait for them", async () => {
  const bodies = [
    { id: 1, method: "initialize", params: { capabilities: {} } },
    { id: 2, method: "shutdown" },
    { method: "exit" },
  ].map((each) => JSON.stringify({ jsonrpc: "2.0", ...each }));
  const stdin = bodies.map((each) =>
    `Content-Length: ${each.length}\r\n\r\n${each}`
  ).join("");
  const { code, stdout } = await bench(["lsp"], { stdin });
  equal(code, 0);
  match(stdout, /"id":1,"result".*"id":2,"result":null\}$/s);
});

Deno.test("lsp: a name that no variable of the environment can have is no error of the server", async () => {
  using directory = folder();
  await using editor = await Editor.start(directory.path);
  const text = "flow: f\nsteps:\n  - id: a\n    call: GET /{{ env.A=B }}\n";
  await editor.open(FLOW, text);
  const { error } = await editor.response("textDocument/hover", {
    textDocument: { uri: editor.uri(FLOW) },
    position: { line: 3, character: 24 },
  });
  equal(error, undefined);
});

Deno.test("lsp: fixtures and schemas are read as the editor has them, and their errors shown in them", async () => {
  using directory = folder({ "shop.proto": PROTO });
  await using editor = await Editor.start(directory.path);
  const grpc = flowWith(
    "    grpc: { proto: shop.proto, method: shop.v1.Catalog/Get }\n",
  );
  await editor.open(FLOW, grpc);
  deepEqual(await editor.diagnostics(FLOW), []);
  await editor.open("users.csv", `${CSV}grace\n`);
  deepEqual(shown(await editor.diagnostics("users.csv")), [
    "2:0-2:5 1 ragged-row",
  ]);
  await editor.open(
    "shop.proto",
    PROTO.replace("rpc Get(Item)", "rpc Get(Itm)"),
  );
  deepEqual(shown(await editor.diagnostics("shop.proto")), [
    "3:26-3:29 1 proto-type",
  ]);
  await editor.change("shop.proto", PROTO.replace("rpc Get", "rpc Find"));
  deepEqual(shown(await editor.diagnostics(FLOW)), [
    "7:39-7:58 1 unknown-method",
  ]);
  deepEqual(await editor.diagnostics("shop.proto"), []);
  await editor.close("users.csv");
  deepEqual(await editor.diagnostics("users.csv"), []);
  await editor.close(FLOW);
  deepEqual(await editor.diagnostics(FLOW), []);
});

Deno.test("lsp: a flow of a mix opens by definition, is completed, and its errors are shown in its own file", async () => {
  const MIX = `version: 1
mix: evening
flows:
  - { flow: ${FLOW}, weight: 70 }
  - flow: none.bench.yaml
    weight: 30
profile: { mode: load, vus: 2, iterations: 10 }
`;
  using directory = folder({ [FLOW]: GOOD });
  await using editor = await Editor.start(directory.path);
  const at = (method: string, part: string) =>
    editor.at(method, "evening.yaml", MIX.replace(part.replace("¦", ""), part));
  const start = { line: 0, character: 0 };
  deepEqual(await at("definition", "shop.be¦nch"), [{
    uri: editor.uri(FLOW),
    range: { start, end: start },
  }]);
  deepEqual(await at("definition", "none.be¦nch"), []);
  deepEqual(shown(await editor.diagnostics("evening.yaml")), [
    "4:10-4:25 1 no-file",
  ]);
  const { items } = await at("completion", "none.bench¦.yaml");
  const labels = items.map((each: { readonly label: string }) => each.label);
  ok(labels.includes(FLOW), labels.join());
  await editor.open(FLOW, GOOD.replace("POST /login", "POST login"));
  ok((await editor.diagnostics(FLOW)).length > 0);
  const keys = await at("completion", "¦mix: evening");
  ok(
    keys.items.every(({ label }: { readonly label: string }) =>
      label !== "steps"
    ),
  );
});

Deno.test("lsp: a fixture that is missing is an error of the flow, until it is there", async () => {
  using directory = workspace({});
  await using editor = await Editor.start(directory.path, {
    capabilities: {
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
    },
  });
  await editor.open(FLOW, GOOD);
  const [missing] = await editor.diagnostics(FLOW);
  deepEqual(shown([missing!]), ["1:6-1:15 1 unreadable-fixture"]);
  match(missing!.message, /there is no fixture file `users.csv`/);
  Deno.writeTextFileSync(join(directory.path, "users.csv"), CSV);
  await editor.notify("workspace/didChangeWatchedFiles", {
    changes: [{ uri: editor.uri("users.csv"), type: 1 }],
  });
  deepEqual(await editor.diagnostics(FLOW), []);
});

Deno.test("lsp: targets are checked, and flows against the target that is asked for", async () => {
  const target = "name: staging\nbase_urls: [https://api.example.com]\n";
  using directory = folder({ "targets/staging.yaml": target });
  await using editor = await Editor.start(directory.path, {
    initializationOptions: { target: "staging" },
  });
  const call = "    call: GET https://api.example.com/{{ token }}\n";
  await editor.open(FLOW, flowWith(call));
  deepEqual(await editor.diagnostics(FLOW), []);
  const file = "targets/staging.yaml";
  await editor.open(file, target.replace("api.", "other."));
  deepEqual(await editor.diagnostics(file), []);
  deepEqual(shown(await editor.diagnostics(FLOW)), [
    "7:14-7:49 1 forbidden-host",
  ]);
  await editor.change(file, `${target}max_vu: 1\n`);
  deepEqual(shown(await editor.diagnostics(file)), ["2:0-2:6 1 unknown-key"]);
});

Deno.test("lsp: an option that is wrong is said, and those of other servers are not", async () => {
  using directory = folder();
  const said = async (initializationOptions: unknown) => {
    await using editor = await Editor.start(directory.path, {
      initializationOptions,
    });
    const seen: RpcMessage[] = [];
    await editor.client.ask(99, "shutdown", undefined, seen);
    return seen.filter(({ method }) => method === "window/showMessage")
      .map(({ params }) => params);
  };
  deepEqual(await said({ targets: "staging", yaml: { format: true } }), [{
    type: 2,
    message: "bench lsp: there is no option `targets`: did you mean `target`?",
  }]);
  deepEqual(await said({ target: 5 }), [{
    type: 2,
    message:
      "bench lsp: `target` must be a string: a target's name, or the path of its file",
  }]);
  deepEqual(await said({ target: "staging" }), []);
  deepEqual(await said(null), []);
});

Deno.test("lsp: no message quotes a credential that is written out, nor the environment", async () => {
  using directory = folder();
  await using editor = await Editor.start(directory.path, {}, {
    env: { KEY: "s3cret-of-env\r\n" },
  });
  const seen: string[] = [];
  for (
    const lines of [
      "    call: GET /\n    auth: { scheme: bearer, token: s3cret-of-flow }\n",
      "    call: GET /\n    auth: { scheme: bearer, token: s3cret-of-flow\n",
      '    call: GET /\n    headers: { A: "{{ env.KEY }}" }\n',
    ]
  ) {
    await editor.open(FLOW, flowWith(lines));
    const found = await editor.diagnostics(FLOW);
    ok(found.length > 0, lines);
    seen.push(JSON.stringify(found));
    await editor.close(FLOW);
  }
  const text = flowWith(
    '    call: GET /\n    headers: { A: "{{ env.K¦EY }}" }\n',
  );
  seen.push(JSON.stringify(await editor.at("hover", FLOW, text)));
  seen.push(JSON.stringify(await editor.at("completion", FLOW, text)));
  ok(seen.every((each) => !each.includes("s3cret")), seen.join("\n"));
});

/** What a server does for open files, one after the other in one folder. */
const FEATURES: Readonly<Record<string, (editor: Editor) => Promise<void>>> = {
  "other files are left alone": async (editor) => {
    await editor.open("docker-compose.yaml", "services: {}\nsteps: 5\n");
    equal(await editor.at("hover", "ci.yaml", "ste¦ps: []\n"), null);
    deepEqual(await editor.at("completion", "ci.yaml", "steps: []\n¦"), null);
    deepEqual(await editor.at("completion", "ci.yaml", "on: x\n¦"), null);
    deepEqual(await editor.at("completion", "ci.yaml", "- a\n¦"), null);
    await editor.open(FLOW, "flow: 1\n");
    const [first] = await editor.anyDiagnostics();
    equal(first, editor.uri(FLOW));
    const begun = await editor.at("completion", "targets/t.yaml", "name: x\n¦");
    deepEqual(begun.items[0].label, "base_urls");
  },
  "a target is one with its key misspelt too": async (editor) => {
    const file = "targets/near.yaml";
    await editor.open(file, "name: near\nbase_url: [http://a]\n");
    deepEqual(shown(await editor.diagnostics(file)), ["1:0-1:8 1 unknown-key"]);
    await editor.open("targets/other.yaml", "name: a\nservices: [b]\n");
    await editor.open(FLOW, "flow: 1\n");
    equal((await editor.anyDiagnostics())[0], editor.uri(FLOW));
  },
  "a file of any name becomes a flow, a mix or a target by one key": async (
    editor,
  ) => {
    const labels = async (text: string) =>
      (await editor.at("completion", "my/stage.yaml", text)).items
        .map(({ label }: { label: string }) => label).sort();
    deepEqual(await labels("¦"), ["base_urls", "flow", "mix"]);
    deepEqual(await labels("# mine\n\n¦"), ["base_urls", "flow", "mix"]);
    ok((await labels("fl¦")).includes("flow"));
    deepEqual(await labels("name: x\n¦"), ["base_urls"]);
    ok((await labels("name: x\nbase_urls: [http://a]\n¦")).includes("max_vus"));
    equal(await editor.at("hover", "my/stage.yaml", "nam¦e: x\n"), null);
  },
  "diagnostics while typing, each with its real range, severity and hint":
    async (editor) => {
      await editor.open(FLOW, flowWith("    call: GET /\n    asert: []\n"));
      const [unknown, ...rest] = await editor.diagnostics(FLOW);
      deepEqual(rest, []);
      deepEqual(shown([unknown!]), ["8:4-8:9 1 unknown-key"]);
      equal(
        unknown!.message,
        "unknown key `asert` in step `second`\ndid you mean `assert`?",
      );
      await editor.change(FLOW, flowWith("    call: GET /{{ user.nme }}\n"));
      deepEqual(shown(await editor.diagnostics(FLOW)), [
        "7:15-7:29 1 unresolved-template",
      ]);
      await editor.change(
        FLOW,
        flowWith(
          '    call: GET /\n    headers: { A: "{{ env.NOPE }}", Authorization: x }\n',
        ),
      );
      deepEqual(shown(await editor.diagnostics(FLOW)), [
        "8:36-8:49 2 literal-credential",
        "8:19-8:33 4 missing-env",
      ]);
      await editor.change(FLOW, flowWith("    call: [\n"));
      deepEqual(shown(await editor.diagnostics(FLOW)), [
        "7:10-7:11 1 yaml-syntax",
      ]);
      await editor.change(FLOW, GOOD);
      deepEqual(await editor.diagnostics(FLOW), []);
    },
  "changes of a part of the text are followed": async (editor) => {
    await editor.open(FLOW, GOOD);
    deepEqual(await editor.diagnostics(FLOW), []);
    await editor.edit(FLOW, { line: 7, from: 19, to: 24, text: "tokn" });
    deepEqual(shown(await editor.diagnostics(FLOW)), [
      "7:15-7:25 1 unresolved-template",
    ]);
  },
  "completion of keys, words, columns of a fixture, and paths": async (
    editor,
  ) => {
    const labels = async (marked: string) =>
      (await editor.at("completion", FLOW, marked)).items
        .map(({ label }: { label: string }) => label);
    ok((await labels(flowWith("    cal¦\n"))).includes("call"));
    deepEqual(await labels(flowWith("    on_failure: ¦\n")), [
      "abort_flow",
      "abort_run",
      "record",
    ]);
    deepEqual(await labels(flowWith('    call: GET /{{ ¦\n    assert: ["')), [
      "token",
      "user.name",
      "user.wants",
      "env.",
    ]);
    await editor.open("users.csv", "id\n1\n");
    deepEqual(await labels(flowWith('    call: "GET /{{ user.¦')), [
      "token",
      "user.id",
    ]);
    deepEqual(await labels("flow: f\ndata: ¦\n"), ["data/", "users.csv"]);
    deepEqual(await labels("flow: f\ndata: data/¦\n"), ["more.csv"]);
  },
  "a completion is one edit, with the quotes a template needs": async (
    editor,
  ) => {
    const lines = "    call: GET /\n    body:\n      a: {{ to¦";
    const { items } = await editor.at("completion", FLOW, flowWith(lines));
    const [{ textEdit, additionalTextEdits }] = items;
    equal(
      editor.applied(FLOW, [textEdit, ...additionalTextEdits]),
      flowWith('    call: GET /\n    body:\n      a: "{{ token }}"'),
    );
  },
  "hover, definition and references, across files": async (editor) => {
    const at = (method: string, part: string, more?: object) =>
      editor.at(method, FLOW, GOOD.replace(part.replace("¦", ""), part), more);
    const hover = await at("hover", "/{{ to¦ken");
    match(hover.contents.value, /extracted by step `login` from `\$\.token`/);
    deepEqual(hover.range, {
      start: { line: 7, character: 18 },
      end: { line: 7, character: 23 },
    });
    deepEqual(await at("definition", "/{{ to¦ken"), [{
      uri: editor.uri(FLOW),
      range: {
        start: { line: 5, character: 15 },
        end: { line: 5, character: 20 },
      },
    }]);
    const [column] = await at("definition", "user.na¦me");
    deepEqual([column.uri, column.range.start], [
      editor.uri("users.csv"),
      { line: 0, character: 0 },
    ]);
    const pools = GOOD.replace(
      "data: users.csv",
      "pools: { people: { path: users.csv } }",
    )
      .replace("user.name", "people.na¦me");
    const [ofPool] = await editor.at("definition", FLOW, pools);
    deepEqual(ofPool, column);
    const context = (includeDeclaration: boolean) => ({
      context: { includeDeclaration },
    });
    equal((await at("references", "/{{ to¦ken", context(true))).length, 2);
    equal((await at("references", "/{{ to¦ken", context(false))).length, 1);
    deepEqual(await at("definition", "flow: sh¦op"), []);
  },
  "a variable is renamed everywhere, or the reason why not is given": async (
    editor,
  ) => {
    const marked = GOOD.replace("{{ token", "{{ to¦ken");
    const range = await editor.at("prepareRename", FLOW, marked);
    deepEqual(range.start, { line: 7, character: 18 });
    const { changes } = await editor.at("rename", FLOW, marked, {
      newName: "jwt",
    });
    equal(
      editor.applied(FLOW, changes[editor.uri(FLOW)]),
      GOOD.replaceAll("token }}", "jwt }}").replace("{ token:", "{ jwt:"),
    );
    await rejects(
      editor.at("rename", FLOW, marked, { newName: "user" }),
      /-32803: a variable cannot be called `user`/,
    );
    await rejects(
      editor.at("prepareRename", FLOW, GOOD.replace("user.name", "user.na¦me")),
      /is a column, which is named by the fixture/,
    );
  },
  "document symbols are the steps and their variables": async (editor) => {
    await editor.open(FLOW, GOOD);
    const symbols = await editor.ask("textDocument/documentSymbol", {
      textDocument: { uri: editor.uri(FLOW) },
    });
    // deno-lint-ignore no-explicit-any -- as it came
    const names = (all: any[]): unknown[] =>
      all.map(({ name, children }) =>
        children.length > 0 ? [name, names(children)] : name
      );
    deepEqual(names(symbols), [
      "flow",
      "data",
      ["steps", [["login", ["token"]], "second"]],
    ]);
  },
  "a quick fix does what the hint says": async (editor) => {
    await editor.open(FLOW, GOOD.replace("call: GET", "cal: GET"));
    const [{ range }] = await editor.diagnostics(FLOW) as [SentDiagnostic];
    const textDocument = { uri: editor.uri(FLOW) };
    const ask = (range: unknown) =>
      editor.ask("textDocument/codeAction", {
        textDocument,
        range,
        context: { diagnostics: [] },
      });
    const [action, ...rest] = await ask(range);
    deepEqual(rest, []);
    deepEqual([action.title, action.kind, action.isPreferred], [
      "Change to call",
      "quickfix",
      true,
    ]);
    equal(editor.applied(FLOW, action.edit.changes[editor.uri(FLOW)]), GOOD);
    const start = { line: 0, character: 0 };
    deepEqual(await ask({ start, end: start }), []);
  },
};

Deno.test("lsp: one server, in an editor", async (t) => {
  using directory = folder({ "data/more.csv": CSV });
  await using editor = await Editor.start(directory.path);
  for (const [name, use] of Object.entries(FEATURES)) {
    await t.step(name, async () => {
      await use(editor);
      await editor.closeAll();
    });
  }
});
