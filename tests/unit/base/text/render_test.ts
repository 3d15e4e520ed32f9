import { equal, notEqual } from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import type { Diagnostic } from "../../../../lib/base/text/diagnostic.ts";
import {
  diagnosticsJson,
  githubAnnotations,
  renderDiagnostics,
} from "../../../../lib/base/text/render.ts";

const SOURCE = "flow: x\nsteps:\n  - asrt: 1\n";
const KEY: Diagnostic = {
  code: "unknown-key",
  at: { file: "flow.yaml", range: { line: 3, column: 5, length: 4 } },
  message: "unknown key `asrt`",
  hint: "did you mean `assert`?",
};
const SOURCES = new Map([["flow.yaml", SOURCE]]);
const plain = (...found: Diagnostic[]) =>
  renderDiagnostics(found, SOURCES, { color: false });

Deno.test("renderDiagnostics() gives location, message, frame and hint", () => {
  equal(
    plain(KEY),
    [
      "flow.yaml:3:5: error: unknown key `asrt`",
      "  |",
      "3 |   - asrt: 1",
      "  |     ^^^^",
      "  = did you mean `assert`?",
      "",
    ].join("\n"),
  );
});

Deno.test("renderDiagnostics() says which one is only a warning", () => {
  equal(
    plain({ ...KEY, severity: "warning" }).split("\n")[0],
    "flow.yaml:3:5: warning: unknown key `asrt`",
  );
});

Deno.test("renderDiagnostics() is empty without diagnostics", () => {
  equal(plain(), "");
});

Deno.test("renderDiagnostics() sorts by line and column", () => {
  const early = {
    ...KEY,
    at: { file: "flow.yaml", range: { line: 1, column: 7, length: 1 } },
    message: "b",
  };
  const earlier = {
    ...KEY,
    at: { file: "flow.yaml", range: { line: 1, column: 1, length: 1 } },
    message: "a",
  };
  const text = plain(KEY, early, earlier);
  equal(
    String(text.match(/error: .*/g)),
    "error: a,error: b,error: unknown key `asrt`",
  );
});

Deno.test("renderDiagnostics() keeps the files apart, in the order they appear", () => {
  const target = {
    ...KEY,
    at: { file: "target.yaml", range: { line: 1, column: 1, length: 1 } },
  };
  const text = plain(KEY, target, { ...KEY, message: "late" });
  equal(
    String(text.match(/^\S+: error/gm)),
    "flow.yaml:3:5: error,flow.yaml:3:5: error,target.yaml:1:1: error",
  );
});

Deno.test("renderDiagnostics() names a location in IR JSON by its pointer", () => {
  equal(
    plain({ ...KEY, at: { file: "flow.yaml", pointer: "/steps/0/id" } }),
    "flow.yaml#/steps/0/id: error: unknown key `asrt`\n   = did you mean `assert`?\n",
  );
});

Deno.test("renderDiagnostics() in colour says the same words", () => {
  const colored = renderDiagnostics([KEY], SOURCES, { color: true });
  notEqual(colored, plain(KEY));
  equal(stripVTControlCharacters(colored), plain(KEY));
});

Deno.test("renderDiagnostics() lets no control character through", () => {
  const anything = fc.string({ unit: "binary" });
  const at = { file: "flow.yaml", range: { line: 1, column: 1, length: 3 } };
  fc.assert(
    fc.property(anything, anything, anything, (message, hint, source) => {
      const text = renderDiagnostics(
        [{ ...KEY, message, hint, at }],
        new Map([["flow.yaml", source]]),
        { color: false },
      );
      // deno-lint-ignore no-control-regex
      equal(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text), false);
    }),
  );
});

Deno.test("diagnosticsJson() gives every key, null where nothing is known", () => {
  const { hint: _, ...rest } = KEY;
  const bare = { ...rest, at: { file: "flow.yaml" } };
  equal(diagnosticsJson([]), "[]\n");
  const [full, less] = JSON.parse(diagnosticsJson([KEY, bare]));
  equal(
    JSON.stringify(full),
    '{"file":"flow.yaml","line":3,"column":5,"severity":"error","code":"unknown-key","message":"unknown key `asrt`","hint":"did you mean `assert`?"}',
  );
  equal(less.line, null);
  equal(less.hint, null);
  const warning = { ...KEY, severity: "warning" as const };
  equal(JSON.parse(diagnosticsJson([warning]))[0].severity, "warning");
});

Deno.test("githubAnnotations() says which one is only a warning", () => {
  equal(
    githubAnnotations([{ ...KEY, severity: "warning" }]).split(" ")[0],
    "::warning",
  );
});

Deno.test("githubAnnotations() escapes what the command form reserves", () => {
  equal(
    githubAnnotations([{
      ...KEY,
      at: { ...KEY.at, file: "a,b:c.yaml" },
      message: "50% of\nit: a, b",
      hint: "so",
    }]),
    "::error file=a%2Cb%3Ac.yaml,line=3,col=5::50%25 of%0Ait: a, b%0Aso\n",
  );
});

Deno.test("githubAnnotations() has nothing that a terminal obeys", () => {
  equal(
    githubAnnotations([{
      ...KEY,
      at: { ...KEY.at, file: "\u001b[1m.yaml" },
      message: "is \u001b]0;x\u0007\r\nnot",
      hint: "\u0000",
    }]),
    "::error file=\\u{1b}[1m.yaml,line=3,col=5::" +
      "is \\u{1b}]0;x\\u{7}\\r%0Anot%0A\\u{0}\n",
  );
});
