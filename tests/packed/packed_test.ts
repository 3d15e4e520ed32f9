import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { startDemoTarget } from "../../lib/demo/server.ts";
import { VERSION } from "../../lib/values/version.ts";
import { openPage, startBrowser, WITHOUT_BROWSER } from "../support/browser.ts";
import { follow } from "../support/live_command.ts";
import { packedPrograms } from "../support/packed.ts";

/*
 * What `deno task compile --pack` builds, on a machine without Deno, Node,
 * node_modules, or anything in a cache. Run by `deno task test:packed`.
 */

const LOAD = `flow: load
profile:
  mode: load
  vus: 4
  iterations: 2000
  thresholds: [error_rate <= 0]
steps:
  - id: item
    call: GET /items/42
    assert: [$.id == 42]
`;

Deno.test("packed programs run where there is no runtime", async (t) => {
  await using packed = await packedPrograms();
  const run = async (program: "bench" | "bench-agent", ...args: string[]) => {
    const { code, stdout, stderr } = await packed.spawn(program, args).output();
    const decoder = new TextDecoder();
    return {
      code,
      stdout: decoder.decode(stdout),
      stderr: decoder.decode(stderr),
    };
  };
  const write = (name: string, text: string) =>
    Deno.writeTextFile(join(packed.path, name), text);

  for (const program of ["bench", "bench-agent"] as const) {
    await t.step(
      `${program} --version says version, commit and how it was built`,
      async () => {
        const { stdout } = await run(program, "--version");
        match(
          stdout,
          new RegExp(
            `^${program} ${
              VERSION.replaceAll(".", "\\.")
            } \\(commit \\S+, packed with Deno \\S+ for \\S+\\)\\n$`,
          ),
        );
      },
    );
  }

  await t.step("a second start unpacks nothing", async () => {
    const cache = join(packed.home, ".cache/bench");
    const before = [...Deno.readDirSync(cache)].map((each) => each.name).sort();
    await run("bench", "--version");
    deepStrictEqual(
      [...Deno.readDirSync(cache)].map((each) => each.name).sort(),
      before,
    );
    equal(before.length, 2, "a folder a program");
  });

  await t.step(
    "without a home it unpacks into TMPDIR; without that it says what to set",
    async () => {
      const start = async (TMPDIR: string) => {
        const env = { HOME: "", TMPDIR };
        const { code, stderr } = await packed.spawn("bench-agent", [
          "--version",
        ], env).output();
        return { code, stderr: new TextDecoder().decode(stderr) };
      };
      equal((await start(packed.path)).code, 0);
      ok(
        [...Deno.readDirSync(packed.path)].some((each) =>
          each.name.startsWith("bench-")
        ),
      );
      deepStrictEqual(await start("/dev/null"), {
        code: 2,
        stderr:
          "bench-agent: error: there is no folder to unpack into\n  = set BENCH_CACHE to a folder of yours\n",
      });
    },
  );

  await t.step(
    "bench demo runs every example: HTTP, GraphQL, gRPC, WebSocket, load",
    async () => {
      const { code, stdout, stderr } = await run("bench", "demo");
      equal(code, 0, stdout + stderr);
      const passed = [...stdout.matchAll(/^(\w+) {2}✓ PASS/gm)].map((
        [, name],
      ) => name);
      deepStrictEqual(passed, [
        "shop",
        "graphql",
        "catalog",
        "ws",
        "demo_load",
      ]);
    },
  );

  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  try {
    await write("target.yaml", `name: here\nbase_urls: [${target.url}]\n`);
    await write("load.yaml", LOAD);
    await t.step(
      "a load run with worker threads meets its bound exactly",
      async () => {
        const { code, stdout, stderr } = await run(
          "bench",
          "run",
          "load.yaml",
          "--target",
          "./target.yaml",
          "--workers",
          "2",
          "--json",
        );
        equal(code, 0, stderr);
        equal(JSON.parse(stdout).iterations.completed, 2_000);
      },
    );

    await t.step("bench init, its schema and its flow", async () => {
      equal((await run("bench", "init", "mine")).code, 0);
      const { code, stderr } = await run(
        "bench",
        "run",
        "mine/first.bench.yaml",
        "--target",
        "./target.yaml",
      );
      equal(code, 0, stderr);
    });

    await t.step("a mistake is told with its place", async () => {
      await write("wrong.yaml", "flow: a\nsteps:\n  - id: a\n    cal: GET /\n");
      const { code, stderr } = await run("bench", "validate", "wrong.yaml");
      equal(code, 2);
      match(stderr, /^wrong\.yaml:4:5: error: unknown key `cal`/);
    });

    await t.step(
      "an interrupt reaches bench, and its results are stored",
      async () => {
        const asked = Promise.withResolvers<void>();
        const server = Deno.serve({
          hostname: "127.0.0.1",
          port: 0,
          onListen() {},
        }, () => {
          asked.resolve();
          return Response.json({ id: 42 });
        });
        await write(
          "slow.yaml",
          `name: slow\nbase_urls: [http://127.0.0.1:${server.addr.port}]\n`,
        );
        await write("long.yaml", LOAD.replace("iterations: 2000", "hold: 10m"));
        const live = follow(
          packed.spawn("bench", [
            "run",
            "long.yaml",
            "--target",
            "./slow.yaml",
            "--store",
            "cut",
          ]),
        );
        await asked.promise;
        live.process.kill("SIGINT");
        const { code, stdout } = await live.ended();
        equal(code, 130, stdout);
        match(stdout, /INTERRUPTED/);
        await server.shutdown();
      },
    );
  } finally {
    await target.close();
  }

  await t.step("bench serve shows the runs", async () => {
    const process = packed.spawn("bench", ["serve", "--addr", "127.0.0.1:0"]);
    const url = await firstMatch(process, /http:\/\/[\d.:]+/);
    const page = await (await fetch(url)).text();
    ok(page.includes("demo_load"), page);
    if (!WITHOUT_BROWSER) await look(url);
    await end(process);
  });

  await t.step("bench-agent serves a reading", async () => {
    const process = packed.spawn("bench-agent", ["--addr", "127.0.0.1:0"]);
    const addr = await firstMatch(process, /127\.0\.0\.1:\d+/);
    const reading = await (await fetch(`http://${addr}/metrics`)).json();
    ok(reading.mem_total_bytes > 0, JSON.stringify(reading));
    await end(process);
  });
});

/** Opens the run list and a run in Chromium; nothing may go wrong on them. */
async function look(url: string): Promise<void> {
  const browser = await startBrowser();
  try {
    await using watched = await openPage(browser);
    const { page, trouble } = watched;
    await page.goto(url);
    await page.locator('a[href^="/runs/"][href*="demo_load"]').first().click();
    await page.waitForLoadState("networkidle");
    match(await page.title(), /demo_load/);
    deepStrictEqual(trouble, []);
  } finally {
    await browser.close();
  }
}

/** Reads standard output until the pattern is there. */
async function firstMatch(
  process: Deno.ChildProcess,
  pattern: RegExp,
): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of process.stdout.values({ preventCancel: true })) {
    text += decoder.decode(chunk, { stream: true });
    const found = pattern.exec(text);
    if (found) return found[0];
  }
  throw new Error(`it never said ${pattern}: ${text}`);
}

async function end(process: Deno.ChildProcess): Promise<void> {
  process.kill("SIGTERM");
  await process.stdout.cancel();
  await process.stderr.cancel();
  equal((await process.status).code, 0);
}
