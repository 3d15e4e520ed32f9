import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import {
  bench,
  type CommandOptions,
  spawnBench,
  workspace,
} from "../support/bench.ts";
import { metaOf, putRun } from "../support/viewer_rig.ts";

const ID = metaOf().id;

/** Starts `bench serve`, and gives the address it says. */
async function serving(
  args: readonly string[],
  use: (url: string) => Promise<void>,
  options: CommandOptions = {},
): Promise<void> {
  const child = spawnBench(["serve", ...args], options);
  const reader = child.stdout.getReader();
  try {
    let text = "";
    while (!text.includes("\n")) {
      const { value, done } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    const url = /^(http:\S+)/.exec(text)?.[1];
    ok(url, `it said ${text}`);
    await use(url);
  } finally {
    child.kill("SIGTERM");
    reader.releaseLock();
    const { code } = await child.output();
    equal(code, 0);
  }
}

Deno.test("bench serve: shows a store on loopback, whatever DENO_SERVE_ADDRESS says", async () => {
  using place = workspace({});
  putRun(join(place.path, "runs"), metaOf());
  await serving(["--store", "runs", "--addr", "127.0.0.1:0"], async (url) => {
    match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await (await fetch(`${url}runs/${ID}`)).text();
    match(page, /PASS/);
  }, {
    cwd: place.path,
    env: { DENO_SERVE_ADDRESS: "tcp:0.0.0.0:9911" },
  });
});

Deno.test("bench serve: BENCH_STORE names the store, and an empty one says what to do", async () => {
  using place = workspace({});
  await serving(["--addr", "localhost:0"], async (url) => {
    match(
      await (await fetch(url)).text(),
      /No runs in <code>elsewhere<\/code>/,
    );
  }, { cwd: place.path, env: { BENCH_STORE: "elsewhere" } });
});

Deno.test("bench serve: refuses what it should not do", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const cases: [string, string, RegExp][] = [
    ["every address", "0.0.0.0:0", /--allow-remote/],
    ["IPv6 too", "[::]:0", /--allow-remote/],
    ["a port that is taken", `127.0.0.1:${taken.addr.port}`, /is taken/],
    ["no port", "127.0.0.1", /no address/],
    ["no number", "127.0.0.1:x", /no address/],
    ["too large a port", "127.0.0.1:70000", /no address/],
  ];
  for (const [sentence, addr, wanted] of cases) {
    const { code, stderr, stdout } = await bench(["serve", "--addr", addr]);
    equal(code, 2, sentence);
    match(stderr, wanted, sentence);
    equal(stdout, "");
  }
});

Deno.test("bench report: one file, the same bytes each time, never over another", async () => {
  using place = workspace({ "there.html": "mine" });
  const dir = putRun(join(place.path, "runs"), metaOf());
  const run = (...args: string[]) =>
    bench(["report", ...args], { cwd: place.path });
  const read = (name: string) => Deno.readTextFileSync(join(place.path, name));
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
  const nowhere = await run(ID, "--html", "no/c.html", "--store", "runs");
  equal(nowhere.code, 2);
  match(nowhere.stderr, /Cannot write `no\/c\.html`/);
});

Deno.test("bench serve refuses a store that is a file", async () => {
  using place = workspace({ "store.txt": "no runs" });
  const run = await bench(["serve", "--store", "store.txt"], {
    cwd: place.path,
  });
  equal(run.code, 2);
  match(run.stderr, /`store\.txt` is a file, not a directory of runs/);
});
