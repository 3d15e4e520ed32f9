import { equal, match } from "node:assert/strict";
import { join } from "node:path";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";
import { Editor } from "../support/lsp_client.ts";
import { RpcClient } from "../support/rpc_client.ts";

/*
 * Files that are none: a repository may hold a link to a device that never ends, and
 * a pipe without a writer. Each of these was read until the memory was full, or
 * waited for good.
 */

const STEP = "steps:\n  - id: a\n    call: GET /x\n";
const FLOW = `flow: f\n${STEP}`;

function folder() {
  const made = workspace({
    "flow.yaml": FLOW,
    "here.yaml": 'name: here\nbase_urls: ["http://127.0.0.1:9"]\n',
    "zero_rows.yaml": `flow: f\ndata: zero.csv\n${STEP}`,
    "pipe_rows.yaml": `flow: f\ndata: pipe.csv\n${STEP}`,
    "schema.yaml":
      "flow: f\nsteps:\n  - id: a\n    grpc: { proto: zero.proto, method: A/B }\n",
    "imports.yaml":
      "flow: f\nsteps:\n  - id: a\n    grpc: { proto: main.proto, method: A/B }\n",
    "main.proto": 'syntax = "proto3";\nimport "pipe.proto";\n',
  });
  const at = (name: string) => join(made.path, name);
  for (const name of ["zero.yaml", "zero.csv", "zero.proto", "zero.pem"]) {
    Deno.symlinkSync("/dev/zero", at(name));
  }
  const pipes = ["yaml", "json", "py", "csv", "proto", "har", "env"]
    .map((ending) => at(`pipe.${ending}`));
  new Deno.Command("mkfifo", { args: pipes }).outputSync();
  Deno.writeTextFileSync(at("sparse.yaml"), FLOW);
  Deno.truncateSync(at("sparse.yaml"), 1_500_000_000);
  return made;
}

const run = (...more: string[]) => ["run", "flow.yaml", ...more];

const REFUSED: readonly [args: readonly string[], message: RegExp][] = [
  [["validate", "zero.yaml"], /^zero\.yaml: .*: it is a device, not a file$/m],
  [["validate", "pipe.yaml"], /^pipe\.yaml: .*: it is a named pipe, not/m],
  [["validate", "pipe.json"], /^pipe\.json: .*: it is a named pipe, not/m],
  [["validate", "pipe.py"], /^pipe\.py: .*: it is a named pipe, not/m],
  [
    ["validate", "sparse.yaml"],
    /^sparse\.yaml: .*: it has 1500000000 bytes, but at most 1048576 are read\n.*= put large/m,
  ],
  [
    ["validate", "zero_rows.yaml"],
    /^zero_rows\.yaml:2:7: .*`zero\.csv`: it is a device, not a file$/m,
  ],
  [
    ["validate", "pipe_rows.yaml"],
    /^pipe_rows\.yaml:2:7: .*`pipe\.csv`: it is a named pipe, not a file$/m,
  ],
  [
    ["validate", "schema.yaml"],
    /^schema\.yaml:4:20: .*`zero\.proto`: it is a device, not a file$/m,
  ],
  [
    ["validate", "imports.yaml"],
    /^main\.proto:2:8: .*`pipe\.proto`: it is a named pipe, not a file$/m,
  ],
  [run("--target", "zero.yaml"), /^zero\.yaml: .*: it is a device, not/m],
  [run("--target", "pipe.yaml"), /^pipe\.yaml: .*: it is a named pipe, not/m],
  [
    run("--target", "here.yaml", "--cacert", "zero.pem"),
    /zero\.pem \(--cacert\): it is a device, not a file$/m,
  ],
  [
    run("--target", "here.yaml", "--env-file", "pipe.env"),
    /pipe\.env: it is a named pipe, not a file$/m,
  ],
  [["import", "har", "pipe.har"], /pipe\.har: it is a named pipe, not a file/],
  [
    ["import", "curl", "curl http://127.0.0.1:9/ -d @zero.csv"],
    /zero\.csv: it is a device, not a file/,
  ],
];

Deno.test("files that are none are refused by name, whatever reads them", async () => {
  using made = folder();
  for (const [args, message] of REFUSED) {
    const { code, stderr } = await bench(args, { cwd: made.path });
    match(stderr, message, args.join(" "));
    equal(code, 2, args.join(" "));
  }
});

Deno.test("a file for which those before it leave too few bytes is refused with the sum", async () => {
  using made = workspace({
    "f.bench.yaml": [
      "version: 1\nflow: f\nsteps:",
      "  - { id: a, call: POST /a, file: big.dat }",
      "  - { id: b, call: POST /b, file: big.dat }",
    ].join("\n"),
    "big.dat": "",
  });
  Deno.truncateSync(join(made.path, "big.dat"), 40_000_000);
  const { code, stderr } = await bench(["validate", "f.bench.yaml"], {
    cwd: made.path,
  });
  match(
    stderr,
    /^f\.bench\.yaml:5:35: .* 40000000 bytes, but at most 27108864 are read: the files of a flow have at most 67108864 bytes in all, and those before it have 40000000$/m,
  );
  equal(code, 2);
});

Deno.test("files of a run that are none are refused by name, whatever reads them", async () => {
  await using target = await demoTarget();
  using made = workspace({
    "f.bench.yaml": `flow: f\n${STEP.replace("/x", "/items/1")}`,
    "here.yaml": `name: here\nbase_urls: ["${target.url}"]\n`,
  });
  const at = { cwd: made.path };
  const args = ["f.bench.yaml", "--target", "here.yaml", "--store", "s"];
  const stored = await bench(["run", ...args, "--json"], at);
  equal(stored.code, 0, stored.stderr);
  const { id } = JSON.parse(stored.stdout);
  const dir = join(made.path, "s", id);
  const change: Record<string, (path: string) => void> = {
    "it is a device, not a file": (path) => Deno.symlinkSync("/dev/zero", path),
    "it is a named pipe, not a file": (path) =>
      void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
    "it has 3000000000 bytes, but at most \\d+ are read": (path) => {
      Deno.writeTextFileSync(path, "");
      Deno.truncateSync(path, 3_000_000_000);
    },
  };
  const replay = ["replay", id];
  const readers: Record<string, readonly string[][]> = {
    "meta.json": [replay, ["compare", id, "--with", id]],
    "flow.json": [replay],
    "traces.json": [replay],
    "traces.idx": [replay],
    "share.json": [["merge", id]],
  };
  Deno.writeTextFileSync(join(dir, "share.json"), "");
  for (const [file, lines] of Object.entries(readers)) {
    for (const [why, make] of Object.entries(change)) {
      // Of any size: read in parts.
      if (file === "traces.json" && why.startsWith("it has")) continue;
      Deno.renameSync(join(dir, file), join(dir, "kept"));
      make(join(dir, file));
      for (const line of lines) {
        const { code, stderr } = await bench([...line, "--store", "s"], at);
        match(stderr, new RegExp(`${file}\`: ${why}`));
        equal(code, 2, `${file}: ${line}: ${stderr}`);
      }
      Deno.removeSync(join(dir, file));
      Deno.renameSync(join(dir, "kept"), join(dir, file));
    }
  }
});

Deno.test("a key and variables may come out of a pipe that the shell made", async () => {
  using made = folder();
  const { stderr } = await bench(
    run("--target", "here.yaml", "--cacert", "/dev/fd/9"),
    { cwd: made.path, before: "exec 9< <(echo no certificate)" },
  );
  match(stderr, /\/dev\/fd\/\d+ \(--cacert\) is not a PEM file/);
});

Deno.test("the language server and rpc say it of the files of a flow", async () => {
  using made = folder();
  await using editor = await Editor.start(made.path);
  await editor.open("open.bench.yaml", `flow: f\ndata: zero.csv\n${STEP}`);
  const [found] = await editor.diagnostics("open.bench.yaml");
  equal(found?.code, "unreadable-fixture");
  match(found?.message ?? "", /it is a device, not a file/);

  await using client = new RpcClient({ cwd: made.path });
  for (const [id, path] of ["pipe.yaml", "zero_rows.yaml"].entries()) {
    const response = await client.ask(id, "validate", { flow: { path } });
    match(
      JSON.stringify(response),
      /it is a (?:named pipe|device), not a file/,
    );
  }
});
