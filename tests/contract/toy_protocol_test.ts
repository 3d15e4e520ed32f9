import { deepStrictEqual, equal, match } from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { ROOT, workspace } from "../support/bench.ts";
import { rawServer } from "../support/raw_server.ts";

/*
 * A protocol is one new file and two lines. Here is one that is easy to recognize:
 * it is added to a copy of the program, which then runs a flow with it.
 */

const FLOW = `flow: toys
steps:
  - id: greet
    toy: hello
    extract: { first: $.heard }
    assert: [first == HELLO]
  - id: again
    toy: "{{ first }} twice"
    assert: ['$.heard == "HELLO TWICE"']
`;

/** Copies what the command is made of. */
function copyProgram(to: string): void {
  const parts = [
    ...["lib", "agent", "cli", "viewer"],
    ...["main.ts", "deno.json", "deno.lock"],
  ];
  for (const part of parts) {
    cpSync(join(ROOT, part), join(to, part), { recursive: true });
  }
}

/** Adds the import and the entry; nothing else is touched. */
function register(file: string): void {
  const before = Deno.readTextFileSync(file).split("\n");
  const imported = before.findIndex((line) => line.includes("./wait.ts"));
  const entered = before.findIndex((line) => line === "  wait,");
  const after = before
    .toSpliced(entered, 0, "  toy,")
    .toSpliced(imported, 0, 'import { toy } from "./toy.ts";');
  equal(after.length, before.length + 2);
  Deno.writeTextFileSync(file, after.join("\n"));
}

async function run(
  directory: string,
  ...args: string[]
): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: directory,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  const text = [stdout, stderr].map((each) => new TextDecoder().decode(each));
  return { code, text: text.join("") };
}

Deno.test("a protocol is added by one file and two lines", async () => {
  const heard: string[] = [];
  const server = rawServer(async ({ conn: connection, send }) => {
    const buffer = new Uint8Array(1_024);
    const count = await connection.read(buffer) ?? 0;
    const line = new TextDecoder().decode(buffer.subarray(0, count));
    heard.push(line);
    await send(line.toUpperCase());
  });
  try {
    using folder = workspace({
      "flow.yaml": FLOW,
      "target.yaml": `name: here\nbase_urls: [${server.url}]\n`,
    });
    copyProgram(folder.path);
    Deno.copyFileSync(
      new URL("toy_protocol.ts.txt", import.meta.url),
      join(folder.path, "lib/steps/toy.ts"),
    );
    register(join(folder.path, "lib/steps/registry.ts"));

    const checked = await run(
      folder.path,
      "check",
      "--quiet",
      "lib/steps/registry.ts",
    );
    equal(checked.code, 0, checked.text);
    const ran = await run(
      folder.path,
      ...["run", "-A", "--quiet", "main.ts"],
      ...["run", "flow.yaml", "--target", "./target.yaml"],
    );
    equal(ran.code, 0, ran.text);
    match(ran.text, /greet +1 +1 +0 +0/);
    deepStrictEqual(heard, ["hello\n", "HELLO twice\n"]);
  } finally {
    await server.close();
  }
});
