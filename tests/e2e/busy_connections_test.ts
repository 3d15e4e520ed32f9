import { ok, strictEqual } from "node:assert/strict";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { follow } from "../support/live_command.ts";

const SERVER = new URL("../support/counting_server.ts", import.meta.url);
const VUS = 1_000;

const FLOW = `flow: busy
profile: { mode: load, vus: ${VUS}, iterations: ${20 * VUS} }
steps:
  - id: get
    call: GET /
`;

Deno.test("a thousand busy connections of one thread are served evenly", async () => {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", SERVER.pathname],
    // A server of the same runtime has to serve them evenly as well.
    env: { DENO_TOKIO_MAX_IO_EVENTS_PER_TICK: "64" },
    stdout: "piped",
  }).spawn();
  const { value } = await server.stdout.values().next();
  const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`;
  using folder = workspace({
    "flow.yaml": FLOW,
    "target.yaml": `name: t\nbase_urls: ["${url}"]\n`,
  });
  const { code, stderr } = await bench(
    ["run", "flow.yaml", "--target", "target.yaml", "--workers", "1"],
    { cwd: folder.path },
  );
  strictEqual(code, 0, stderr);
  const counts = await (await fetch(`${url}/counts`)).json() as number[];
  await server.status;
  strictEqual(counts.length, VUS);
  const least = Math.min(...counts);
  const mean = counts.reduce((sum, each) => sum + each, 0) / VUS;
  ok(mean >= 4, `${mean} requests once all were connected show nothing`);
  ok(least >= mean / 2, `the slowest sent ${least} requests of ${mean}`);
});

Deno.test(
  "there is room for the connections of all VUs before the first request",
  { ignore: Deno.build.os !== "linux" },
  async () => {
    const started = Promise.withResolvers<number>();
    let room: number | undefined;
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async () => {
        const pid = await started.promise;
        const status = await Deno.readTextFile(`/proc/${pid}/status`);
        room ??= Number(/FDSize:\s+(\d+)/.exec(status)?.[1]);
        return new Response();
      },
    );
    using folder = workspace({
      "flow.yaml":
        "flow: many\nprofile: { mode: load, vus: 700, arrival_cap: 100/s, hold: 100ms }\n" +
        "steps:\n  - id: get\n    call: GET /\n",
      "target.yaml":
        `name: t\nbase_urls: ["http://127.0.0.1:${server.addr.port}"]\n`,
    });
    const live = follow(
      spawnBench(["run", "flow.yaml", "--target", "target.yaml"], {
        cwd: folder.path,
      }),
    );
    started.resolve(live.process.pid);
    const { code, stderr } = await live.ended();
    strictEqual(code, 0, stderr);
    strictEqual(room, 1_024);
  },
);
