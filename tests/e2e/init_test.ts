import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { INIT_FILES } from "../../cli/flow/init_command.ts";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";
import { STRICT } from "../support/strict.ts";

Deno.test({
  name: "bench init writes a flow that runs as it is against the demo target",
  ...STRICT,
  async fn() {
    using folder = workspace({});
    const made = await bench(["init", "first"], { cwd: folder.path });
    equal(made.code, 0, made.stderr);
    equal(
      made.stdout,
      Object.keys(INIT_FILES).map((path) => `first/${path}\n`).join(""),
    );
    const cwd = join(folder.path, "first");
    const target = join(cwd, "targets/demo.yaml");
    await using server = await demoTarget();
    // The port that `bench demo --serve` has may be taken on this machine.
    const text = await Deno.readTextFile(target);
    ok(text.includes("http://127.0.0.1:7800\n"));
    await Deno.writeTextFile(
      target,
      text.replace("http://127.0.0.1:7800", server.url),
    );
    const run = await bench(
      ["run", "first.bench.yaml", "--target", "demo", "--json"],
      { cwd },
    );
    equal(run.code, 0, run.stderr);
    const meta = JSON.parse(run.stdout);
    equal(meta.verdict, "pass");
    equal(meta.iterations.passed, 3);
  },
});

Deno.test("bench init says the next command as a shell takes it", async () => {
  using folder = workspace({});
  const { stderr } = await bench(["init", "my shop"], { cwd: folder.path });
  match(stderr, /^ {2}cd 'my shop'$/m);
});

Deno.test("bench init names every file that is there already, and writes nothing", async () => {
  using folder = workspace({
    "data/users.csv": "name\nmine\n",
    "first.bench.yaml": "mine",
  });
  const { code, stderr, stdout } = await bench(["init"], { cwd: folder.path });
  equal(code, 2);
  equal(stdout, "");
  match(
    stderr,
    /^bench: error: there already: first\.bench\.yaml, data\/users\.csv; nothing was written over\n {2}= /,
  );
  equal(Deno.readTextFileSync(join(folder.path, "first.bench.yaml")), "mine");
  equal([...Deno.readDirSync(folder.path)].length, 2, "nothing was added");
});

Deno.test("bench init says in words why it cannot write", async () => {
  using folder = workspace({ "first": "a file" });
  const run = await bench(["init", "first/in"], { cwd: folder.path });
  equal(run.code, 2);
  match(
    run.stderr,
    /first\/in\S*: a part of the path is a file, not a directory\n$/,
  );
});

Deno.test("bench init writes schemas where its files look for them", async () => {
  using folder = workspace({});
  await bench(["init"], { cwd: folder.path });
  for (const file of ["first.bench.yaml", "targets/demo.yaml"]) {
    const path = join(folder.path, file);
    const [, schema] = /\$schema=(\S+)/.exec(Deno.readTextFileSync(path))!;
    const text = Deno.readTextFileSync(join(path, "..", schema!));
    match(JSON.parse(text).$schema, /2020-12/);
  }
});

Deno.test("bench init says both versions: with the lines of version 1 the flow is valid as well", async () => {
  using folder = workspace({});
  await bench(["init"], { cwd: folder.path });
  const path = join(folder.path, "first.bench.yaml");
  const text = Deno.readTextFileSync(path);
  match(text, /^# This is version 0 of the flow file\./m);
  const opened = text.replace(/^# {3}(version: 1|values: .*)$/gm, "$1");
  equal(opened.match(/^(?:version|values):/gm)?.length, 2);
  Deno.writeTextFileSync(path, opened);
  const { code, stderr } = await bench(
    ["validate", "first.bench.yaml", "--target", "demo"],
    { cwd: folder.path },
  );
  equal(code, 0, stderr);
});
