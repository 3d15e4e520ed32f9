import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { FORMATS } from "../../viewer/model/formats.ts";
import { indexBytes, indexText } from "../../lib/results/store/trace_index.ts";
import {
  bench,
  type CommandOptions,
  spawnBench,
  workspace,
} from "../support/bench.ts";
import { follow } from "../support/live_command.ts";
import { FILES, META } from "../unit/viewer/exported_run.ts";
import { metaOf, putRun } from "../support/viewer_fixture.ts";

const ID = metaOf().id;
const OTHER = "20261119T180211Z-checkout-0000bb";

/** Starts `bench serve`, and gives the address it says. */
async function serving(
  args: readonly string[],
  use: (url: string) => Promise<void>,
  options: CommandOptions = {},
): Promise<string> {
  const server = follow(spawnBench(["serve", ...args], options));
  const [, url] = await server.printed(/^(http:\S+).*\n/);
  try {
    await use(url!);
  } finally {
    server.process.kill("SIGTERM");
  }
  const { code, stderr } = await server.ended();
  equal(code, 0);
  return stderr;
}

Deno.test("bench serve: shows a store on loopback, whatever DENO_SERVE_ADDRESS says", async () => {
  using folder = workspace({});
  putRun(join(folder.path, "runs"), metaOf());
  await serving(["--store", "runs", "--addr", "127.0.0.1:0"], async (url) => {
    match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await (await fetch(`${url}runs/${ID}`)).text();
    match(page, /PASS/);
  }, {
    cwd: folder.path,
    env: { DENO_SERVE_ADDRESS: "tcp:0.0.0.0:9911" },
  });
});

Deno.test("bench serve: BENCH_STORE names the store, and an empty one says what to do", async () => {
  using folder = workspace({});
  const said = await serving(["--addr", "localhost:0"], async (url) => {
    const text = await (await fetch(url)).text();
    match(text, /No runs in <code>elsewhere<\/code>/);
    match(text, /<code>bench demo --store elsewhere<\/code>/);
  }, { cwd: folder.path, env: { BENCH_STORE: "elsewhere" } });
  equal(
    said,
    "note: there is no store `elsewhere` yet: its runs are shown once it is made\n",
  );
});

Deno.test("bench serve: refuses what it should not do", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases: [string, string, RegExp][] = [
    ["every address", "0.0.0.0:0", /--allow-remote/],
    ["IPv6 too", "[::]:0", /--allow-remote/],
    ["a port that is taken", `127.0.0.1:${taken.addr.port}`, /is taken/],
    ["no port", "127.0.0.1", /`--addr` must be host:port/],
    ["no number", "127.0.0.1:x", /`--addr` must be host:port/],
    [
      "too large a port",
      "127.0.0.1:70000",
      /`--addr` must be host:port or :port with a port from 0 to 65535, got/,
    ],
  ];
  for (const [sentence, addr, expected] of cases) {
    const { code, stderr, stdout } = await bench(["serve", "--addr", addr]);
    equal(code, 2, sentence);
    match(stderr, expected, sentence);
    equal(stdout, "");
  }
});

Deno.test("bench demo --serve: takes an address as bench serve does, of this machine alone", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases: [string, RegExp][] = [
    ["0.0.0.0:0", /other machines/],
    [`127.0.0.1:${taken.addr.port}`, /is taken[\s\S]*--addr/],
    ["7800", /`--addr` must be host:port/],
  ];
  for (const [addr, expected] of cases) {
    const { code, stderr } = await bench(["demo", "--serve", "--addr", addr]);
    equal(code, 2, addr);
    match(stderr, expected);
  }
});

Deno.test({
  name:
    "bench report: a device or a pipe is written to and never replaced, a link is followed",
  ignore: Deno.build.os === "windows",
  async fn() {
    using folder = workspace({ "kept/old.csv": "old" });
    const dir = putRun(join(folder.path, "runs"), metaOf());
    const at = (name: string) => join(folder.path, name);
    const run = (...args: string[]) =>
      bench(["report", dir, "--format", "json", ...args], {
        cwd: folder.path,
      });
    Deno.symlinkSync("/dev/null", at("device.json"));
    equal((await run("-o", "device.json")).code, 0);
    ok(Deno.lstatSync(at("device.json")).isSymlink);
    equal((await run("-o", "/dev/stdout")).stdout, (await run()).stdout);
    Deno.symlinkSync(at("kept/old.csv"), at("link.json"));
    equal((await run("-o", "link.json")).code, 2);
    equal((await run("-o", "link.json", "--force")).code, 0);
    ok(Deno.lstatSync(at("link.json")).isSymlink);
    match(Deno.readTextFileSync(at("kept/old.csv")), /^\{/);
    deepStrictEqual([...Deno.readDirSync(at("kept"))].length, 1);
  },
});

Deno.test("bench report: one file, the same bytes each time, never over another", async () => {
  using folder = workspace({ "there.html": "mine" });
  const dir = putRun(join(folder.path, "runs"), metaOf());
  const run = (...args: string[]) =>
    bench(["report", ...args], { cwd: folder.path });
  const read = (name: string) => Deno.readTextFileSync(join(folder.path, name));
  equal((await run(ID, "--html", "a.html", "--store", "runs")).code, 0);
  equal((await run(dir, "--html", "b.html")).code, 0);
  equal(read("a.html"), read("b.html"));
  match(read("a.html"), /<h1>[\s\S]*PASS/);
  ok(!/<script|src=|https?:/.test(read("a.html")));

  const there = await run(ID, "--html", "there.html", "--store", "runs");
  equal(there.code, 2);
  match(there.stderr, /exists already[\s\S]*--force/);
  equal(read("there.html"), "mine");
  equal(
    (await run(ID, "--html", "there.html", "--store", "runs", "--force")).code,
    0,
  );
  equal(read("there.html"), read("a.html"));

  const none = await run("none", "--html", "c.html", "--store", "runs");
  equal(none.code, 2);
  match(none.stderr, /no run `none`/);
  // As the reports of a run, with the folders that are missing.
  const below = await run(ID, "--html", "new/er/c.html", "--store", "runs");
  equal(below.code, 0, below.stderr);
  equal(read("new/er/c.html"), read("a.html"));
  const nowhere = await run(ID, "--html", "a.html/c.html", "--store", "runs");
  equal(nowhere.code, 2);
  match(nowhere.stderr, /Cannot write `a\.html\/c\.html`: a part of the path/);
});

Deno.test("bench report: every form, chosen by --format or by the file's ending", async () => {
  using folder = workspace({});
  putRun(join(folder.path, "runs"), META, FILES);
  const run = (...args: string[]) =>
    bench(["report", ID, "--store", "runs", ...args], { cwd: folder.path });
  for (const [format, { ending }] of Object.entries(FORMATS)) {
    const file = `run${ending}`;
    const written = await run("-o", file);
    equal(written.code, 0, written.stderr);
    equal(written.stdout, "");
    equal(written.stderr, `report written to ${file}\n`);
    const printed = await run("--format", format);
    equal(printed.code, 0, printed.stderr);
    equal(
      printed.stdout,
      Deno.readTextFileSync(join(folder.path, file)),
      format,
    );
  }
  // An ending that says nothing, and no file at all, mean HTML.
  match((await run()).stdout, /^<!doctype html>/);
  const left = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  ok(!left.some((name) => name.endsWith(".part")), "no half file stays");
});

Deno.test("bench report: payloads left out, and another run beside", async () => {
  using folder = workspace({});
  const store = join(folder.path, "runs");
  putRun(store, META, FILES);
  putRun(store, { ...META, id: OTHER, duration_ms: 9_000 }, FILES);
  const run = (...args: string[]) =>
    bench(["report", ID, "--store", "runs", ...args], { cwd: folder.path });
  for (const format of ["html", "har"]) {
    match((await run("--format", format)).stdout, /to chat/, format);
    const without = await run("--format", format, "--no-payloads");
    equal(without.code, 0);
    ok(!/to chat|iVBORw==/.test(without.stdout), format);
  }
  const unable = await run("--format", "md", "--no-payloads");
  equal(unable.code, 2);
  equal(unable.stdout, "");
  match(unable.stderr, /--no-payloads is for `html` and `har`, not for `md`/);
  const beside = await run("--baseline", OTHER);
  match(beside.stdout, /Compared with a baseline[\s\S]*requests a second/);
  ok(!/<script|href="\//.test(beside.stdout));
  equal(beside.stdout, (await run("--baseline", OTHER)).stdout);
  // A run that is named by its path has its own store.
  const byPath = await bench(["report", `runs/${ID}`, "--baseline", OTHER], {
    cwd: folder.path,
  });
  equal(byPath.stdout, beside.stdout, byPath.stderr);
});

Deno.test("bench report refuses what it cannot give", async () => {
  using folder = workspace({});
  putRun(join(folder.path, "runs"), metaOf());
  Deno.mkdirSync(join(folder.path, "runs", OTHER));
  const run = (...args: string[]) =>
    bench(["report", "--store", "runs", ...args], { cwd: folder.path });
  const cases: [string[], number, RegExp][] = [
    [[ID, "--format", "pdf"], 2, /Allowed choices are html, json/],
    [[ID, "--format", "csv"], 2, /no series\.json[\s\S]*when a run ends/],
    [[ID, "--html", "a", "--format", "har"], 2, /cannot be used with/],
    [[ID, "--baseline", "none"], 2, /no run `none`/],
    [[ID, "--baseline", ID, "--format", "md"], 2, /for the HTML report/],
    [
      [ID, "-o", "run.pdf"],
      2,
      /ends in `\.pdf`\n {2}= endings are \.html, .*--format/,
    ],
    [[OTHER], 2, /has no meta\.json/],
    [[ID, "--baseline", OTHER], 2, /has no meta\.json/],
  ];
  for (const [args, code, expected] of cases) {
    const refused = await run(...args);
    equal(refused.code, code, refused.stderr);
    match(refused.stderr, expected);
    equal(refused.stdout, "");
  }
});

Deno.test("bench report: a file that breaks on the way is not left behind", async () => {
  using folder = workspace({});
  const store = join(folder.path, "runs");
  const dir = putRun(store, META, FILES);
  // The index says where the traces are; one of them is not there any more.
  const text = Deno.readTextFileSync(join(dir, "traces.json"));
  Deno.writeTextFileSync(
    join(dir, "traces.idx"),
    indexText(indexBytes(
      new TextEncoder().encode(text),
    )),
  );
  Deno.writeTextFileSync(
    join(dir, "traces.json"),
    text.replace('"iteration":2', '"iteration":"'),
  );
  const refused = await bench([
    "report",
    dir,
    "--format",
    "har",
    "-o",
    "run.har",
  ], {
    cwd: folder.path,
  });
  equal(refused.code, 2);
  match(refused.stderr, /Cannot read `[^`]*traces\.json`/);
  const left = [...Deno.readDirSync(folder.path)].map(({ name }) => name);
  deepStrictEqual(left.filter((name) => name.startsWith("run.")), []);
});

Deno.test("bench serve refuses a store that is a file", async () => {
  using folder = workspace({ "store.txt": "no runs" });
  const run = await bench(["serve", "--store", "store.txt"], {
    cwd: folder.path,
  });
  equal(run.code, 2);
  match(run.stderr, /`store\.txt` is a file, not a directory of runs/);
});
