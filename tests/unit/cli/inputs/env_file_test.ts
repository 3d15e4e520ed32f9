import { deepEqual, match, throws } from "node:assert/strict";
import { readEnvFile } from "../../../../cli/inputs/env_file.ts";
import { InputError } from "../../../../lib/base/text/diagnostic.ts";
import { workspace } from "../../../support/bench.ts";

function read(content: string | Uint8Array): Record<string, string> {
  using folder = workspace({});
  const path = `${folder.path}/.env`;
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
  return readEnvFile(path);
}

Deno.test("readEnvFile: values are taken whole, in quotes and without", () => {
  const text = `# credentials
ENV_TEST_A=plain # a comment
export ENV_TEST_B = 'pa#ss' # another
ENV_TEST_C="two

lines"
ENV_TEST_D=it's
ENV_TEST_E=
ENV_TEST_F=\`q"'\`\r
`;
  deepEqual({ ...read(text) }, {
    ENV_TEST_A: "plain",
    ENV_TEST_B: "pa#ss",
    ENV_TEST_C: "two\n\nlines",
    ENV_TEST_D: "it's",
    ENV_TEST_E: "",
    ENV_TEST_F: "q\"'",
  });
});

Deno.test("readEnvFile: a value of which a part would be left out is refused where that begins", () => {
  const table: [text: string, at: string, message: RegExp][] = [
    ["A=1\nB=pa#ss#word\n", "2:5", /end before this `#`/],
    ["A=#1\n", "1:3", /end before this `#`/],
    ['A="one\ntwo" # c\nB= "unclosed\n', "3:4", /quote is not closed/],
    ["A='x' y\n", "1:7", /more behind the closing quote/],
    ['A="a\n"b\n', "2:2", /more behind the closing quote/],
    ["A=1\n\nsecret\n", "3:1", /expected `NAME=value`/],
    ["A=1\nB: secret\n", "2:1", /expected `NAME=value`/],
  ];
  for (const [text, place, message] of table) {
    throws(() => read(text), (error) => {
      if (!(error instanceof InputError)) throw error;
      const [{ at: { range }, message: said }] = error.diagnostics as [
        InputError["diagnostics"][number],
      ];
      deepEqual(
        [`${range?.line}:${range?.column}`, message.test(said)],
        [place, true],
        text,
      );
      return true;
    });
  }
});

Deno.test("readEnvFile: every wrong line is reported, up to a quote that is not closed", () => {
  throws(() => read("one\nA=1\n2=x\nB=a#b\nC='open\nmore\n"), (error) => {
    if (!(error instanceof InputError)) throw error;
    const lines = error.diagnostics.map(({ at }) => at.range?.line);
    deepEqual(lines, [1, 3, 4, 5]);
    match(error.diagnostics[3]!.hint!, /^close it, or /);
    return true;
  });
});

Deno.test("readEnvFile: a file that is not UTF-8 is refused", () => {
  const bytes = Uint8Array.of(0x41, 0x3d, 0x63, 0xe9, 0x0a);
  throws(() => read(bytes), /not valid UTF-8/);
});
