import { deepStrictEqual, equal } from "node:assert/strict";
import { EditorDocument } from "../../../../lib/language/editor/document.ts";
import {
  definitionOfUse,
  nameAt,
  rename,
  usesOf,
} from "../../../../lib/language/editor/find_name.ts";
import {
  type NameUse,
  variablesAt,
} from "../../../../lib/language/editor/names.ts";
import { changed, cursorIn, FLOW } from "../../../support/editor.ts";

const TEXT = `flow: f
data: users.csv
auth: { scheme: bearer, token: "{{ token }}" }
steps:
  - id: login
    call: POST /{{ env.BASE }}/login
    body: { user: "{{ user.name }}", token: "not {{ token }} yet" }
    auth: { scheme: none }
    extract:
      token: $.token
      "user-id": $.id
    assert:
      - token exists
      - 'token.length == {{ user-id }}'
      - $.token == token
      - header.token exists
  - id: again # {{ token }}
    poll:
      call: GET /{{token}}/{{ user['first name'] }}
      until: [status == 200, "token contains {{ token.part }}"]
      interval: 1s
      timeout: 5s
    extract: { token: $.other }
  - id: chat
    ws: { url: /, session: room, receive: { match: user-id == 3 } }
  - id: join
    ws: { session: room, send: { text: "{{ token }}" } }
`;

const document = new EditorDocument(TEXT);
const names = FLOW.names.of(document);

/** `line:text` of each, the definitions with a `!`. */
function shown(uses: readonly NameUse[]): string[] {
  return uses.map(({ start, end, defines }) => {
    const line = TEXT.slice(0, start).split("\n").length;
    return `${line}:${TEXT.slice(start, end)}${defines ? "!" : ""}`;
  });
}

/** The name at the cursor that stands in `part` of the text. */
function at(part: string): NameUse {
  const { text, offset } = cursorIn(part);
  return nameAt(names, TEXT.indexOf(text) + offset)!;
}

Deno.test("usesOf: templates, extractions, subjects of assertions; no keys, texts or comments", () => {
  deepStrictEqual(shown(usesOf(names, at("to¦ken: $.token"))), [
    "3:token",
    "7:token",
    "10:token!",
    "13:token",
    "14:token",
    "19:token",
    "20:token",
    "20:token",
    "23:token!",
    "27:token",
  ]);
  deepStrictEqual(shown(usesOf(names, at('"user¦-id": $.id'))), [
    "11:user-id!",
    "14:user-id",
    "25:user-id",
  ]);
});

Deno.test("usesOf: columns, variables of the environment and sessions are names of their own", () => {
  deepStrictEqual(shown(usesOf(names, at("user.na¦me }}"))), ["7:name"]);
  deepStrictEqual(shown(usesOf(names, at("['first¦ name']"))), [
    "19:first name",
  ]);
  deepStrictEqual(shown(usesOf(names, at("env.BA¦SE"))), ["6:BASE"]);
  deepStrictEqual(shown(usesOf(names, at("session: ¦room, send"))), [
    "25:room!",
    "27:room",
  ]);
});

Deno.test("usesOf: of a step, its id and what is made of its response or session", () => {
  deepStrictEqual(shown(usesOf(names, at("id: log¦in"))), [
    "3:token",
    "5:login!",
    "7:token",
    "13:token",
    "14:token",
    "14:user-id",
    "19:token",
    "20:token",
    "20:token",
    "25:user-id",
  ]);
  deepStrictEqual(shown(usesOf(names, at("id: ag¦ain"))), [
    "3:token",
    "7:token",
    "17:again!",
    "27:token",
  ]);
  deepStrictEqual(shown(usesOf(names, at("id: ch¦at"))), [
    "24:chat!",
    "27:room",
  ]);
  const id = at("id: log¦in");
  deepStrictEqual(definitionOfUse(names, id), [id]);
});

Deno.test("definitionOfUse: the last extraction before, a step's own for its assertions", () => {
  const of = (part: string) => shown(definitionOfUse(names, at(part)));
  deepStrictEqual(of("{{to¦ken}}"), ["10:token!"]);
  deepStrictEqual(of('text: "{{ tok¦en'), ["23:token!"]);
  deepStrictEqual(of("- tok¦en exists"), ["10:token!"]);
  deepStrictEqual(of('"tok¦en contains'), ["10:token!"]);
  deepStrictEqual(of("¦token: $.other"), ["23:token!"]);
  deepStrictEqual(of("session: roo¦m, send"), ["25:room!"]);
});

Deno.test("definitionOfUse: every extraction when none is before", () => {
  const of = (part: string) => shown(definitionOfUse(names, at(part)));
  deepStrictEqual(of('token: "{{ tok¦en }}" }\nsteps'), [
    "10:token!",
    "23:token!",
  ]);
  deepStrictEqual(of("not {{ tok¦en"), ["10:token!", "23:token!"]);
});

Deno.test("rename: everywhere at once, whatever quotes a name is in", () => {
  const result = rename(names, at("user¦-id == 3"), "account");
  if ("refused" in result) throw new Error(result.refused);
  const after = changed(TEXT, result.changes);
  equal(after, TEXT.replaceAll("user-id", "account"));
});

Deno.test("rename: of a path in quotes that are escaped in the text's own", () => {
  const text = `flow: f
steps:
  - { id: one, call: GET /, extract: { found: $ } }
  - id: two
    call: "GET /{{ found[\\"a b\\"] }}/{{ user[\\"c d\\"] }}"
    body: '{{ found[''a b''] }}'
`;
  const all = FLOW.names.of(new EditorDocument(text));
  const use = nameAt(all, text.indexOf("found: $"))!;
  const result = rename(all, use, "account");
  if ("refused" in result) throw new Error(result.refused);
  equal(changed(text, result.changes), text.replaceAll("found", "account"));
  equal(nameAt(all, text.indexOf("c d"))?.name, "c d");
});

Deno.test("rename: refused when the name has a meaning already", () => {
  const to = (name: string) => {
    const result = rename(names, at("to¦ken: $.token"), name);
    return "refused" in result ? result.refused : undefined;
  };
  equal(to("user-id"), "there is a variable `user-id` already");
  equal(
    to("user"),
    "a variable cannot be called `user`: {{ user.* }} already has a meaning",
  );
  equal(
    to("env"),
    "a variable cannot be called `env`: {{ env.* }} already has a meaning",
  );
  equal(
    to("status"),
    "`status` at the start of an assertion is not a variable",
  );
  equal(
    to("2nd"),
    'a variable\'s name starts with a letter or _ and continues with letters, digits, _ and -, but this is "2nd"',
  );
  equal(to("token"), undefined);
});

Deno.test("a threshold names its step", () => {
  const text = `flow: f
profile:
  thresholds: ["log in: p95(latency) < 1s", 'other: error_rate < 1%', error_rate < 1%]
steps:
  - id: log in
    call: POST /login
    extract: { token: $.token }
  - { id: next, call: "GET /{{ token }}" }
`;
  const all = FLOW.names.of(new EditorDocument(text));
  const use = nameAt(all, text.indexOf("log in: p95"))!;
  const offsets = (uses: readonly NameUse[]) => uses.map(({ start }) => start);
  deepStrictEqual(
    offsets(definitionOfUse(all, use)),
    [text.indexOf("log in\n")],
  );
  const places = [
    text.indexOf("log in: p95"),
    text.indexOf("log in\n"),
    text.indexOf("token }}"),
  ];
  deepStrictEqual(offsets(usesOf(all, use)), places);
  const step = nameAt(all, text.indexOf("log in\n"))!;
  deepStrictEqual(offsets(usesOf(all, step)), places);
  equal(nameAt(all, text.indexOf("other:")), undefined);
});

Deno.test("rename: only of variables", () => {
  const why = (part: string) => {
    const result = rename(names, at(part), "other");
    return "refused" in result ? result.refused : undefined;
  };
  equal(
    why("env.BA¦SE"),
    "`BASE` is an environment variable, which is named outside of this file",
  );
  equal(
    why("user.na¦me }}"),
    "`name` is a column, which is named by the fixture",
  );
  equal(
    why("id: log¦in"),
    "`login` is the id of a step: only variables can be renamed",
  );
});

Deno.test("rename: not of what no step makes, such as a pool or the text of a body", () => {
  const text = `version: 1
flow: f
pools: { item: { path: items.csv } }
steps:
  - id: one
    call: GET /{{ item.id }}
    assert: [body contains "x"]
`;
  const uses = FLOW.names.of(new EditorDocument(text));
  const why = (part: string) =>
    rename(uses, nameAt(uses, text.indexOf(part))!, "other");
  for (const name of ["item", "body"]) {
    deepStrictEqual(why(name === "item" ? "item.id" : "body contains"), {
      refused: `no step extracts \`${name}\`, and no value has that name`,
    });
  }
});

Deno.test("usesOf: columns of different pools are different names", () => {
  const text = `version: 1
flow: f
pools: { user: { path: u.csv }, item: { path: i.csv } }
steps:
  - { id: one, call: "GET /{{ user.id }}/{{ item.id }}/{{ item['id'] }}" }
`;
  const uses = FLOW.names.of(new EditorDocument(text));
  const use = nameAt(uses, text.indexOf("id }}/{{ item['"))!;
  deepStrictEqual(usesOf(uses, use).map(({ kind, pool }) => [kind, pool]), [
    ["column", "item"],
    ["column", "item"],
  ]);
});

Deno.test("names: a flow in one bracket has the same ones", () => {
  const text = `{ flow: f, steps: [
    { id: a, call: GET /, extract: { x: $.x } },
    { id: b, call: "GET /{{ x }}" } ] }`;
  const all = FLOW.names.of(new EditorDocument(text));
  deepStrictEqual(all.map(({ name, defines, step }) => [name, defines, step]), [
    ["a", true, 0],
    ["x", true, 0],
    ["b", true, 1],
    ["x", false, 1],
  ]);
});

Deno.test("definition and rename: a value that is drawn is made above the steps", () => {
  const text = `version: 1
flow: f
values:
  order: uuid
  mail: { text: "{{ order }}@x" }
steps:
  - id: one
    call: GET /{{ order }}
    assert: ["$.id == {{ order }}", order exists]
`;
  const uses = FLOW.names.of(new EditorDocument(text));
  const use = nameAt(uses, text.indexOf("order }}\n"))!;
  const [made] = definitionOfUse(uses, use);
  equal(text.slice(0, made!.start).split("\n").length, 4);
  const renamed = rename(uses, use, "id");
  equal(
    "changes" in renamed && changed(text, renamed.changes),
    text.replaceAll("order", "id"),
  );
});

Deno.test("definition and uses: variables of setup are known everywhere, those of iterations not in teardown", () => {
  const text = `version: 1
flow: f
setup:
  - id: login
    call: POST /login
    extract: { token: $.token }
steps:
  - id: buy
    call: POST /buy/{{ token }}
    extract: { order: $.id }
  - id: look
    call: GET /{{ order }}
teardown:
  - id: drop
    call: DELETE /{{ token }}
    extract: { gone: $.gone }
  - id: check
    call: GET /{{ gone }}
`;
  for (const written of [text, text.replaceAll(/^ {2}/gm, "    ")]) {
    const uses = FLOW.names.of(new EditorDocument(written));
    const made = (use: string) => {
      const at = written.lastIndexOf(`{{ ${use}`) + 3;
      const [first] = definitionOfUse(uses, nameAt(uses, at)!);
      return [first?.list, first?.step];
    };
    deepStrictEqual(made("token"), ["setup", 0]);
    deepStrictEqual(made("order"), ["steps", 0]);
    deepStrictEqual(made("gone"), ["teardown", 0]);
    const known = (...path: (string | number)[]) => [
      ...variablesAt(path, uses).keys(),
    ];
    deepStrictEqual(known("setup", 0, "call"), []);
    deepStrictEqual(known("steps", 0, "call"), ["token"]);
    deepStrictEqual(known("steps", 1, "call"), ["token", "order"]);
    deepStrictEqual(known("teardown", 0, "call"), ["token"]);
    deepStrictEqual(known("teardown", 0, "assert"), ["token", "gone"]);
  }
});
