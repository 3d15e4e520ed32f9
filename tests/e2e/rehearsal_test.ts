import { equal, match, ok } from "node:assert/strict";
import { bench } from "../support/bench.ts";
import { runFixture } from "../support/run_fixture.ts";

// More VUs than two: on a slow machine each due iteration still finds one.
const flow = `version: 1
flow: rehearsed
data: people.csv
cookies: vu
profile: { mode: load, vus: 8, hold: 2s, arrival_cap: 20/s }
values: { order: uuid }
steps:
  - id: login
    call: POST /login
    body: { name: "{{ user.name }}", order: "{{ order }}" }
    auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
    extract: { token: $.token }
  - id: use
    call: GET /use
    headers: { X-Token: "{{ token }}" }
    assert: [status == 200]
`;

/** A server that keeps what it is sent: method, path and body. */
function recorder() {
  const requests: string[] = [];
  let connections = 0;
  const open = new Set<string>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request, { remoteAddr }) => {
      const { port } = remoteAddr as Deno.NetAddr;
      if (!open.has(String(port))) connections++;
      open.add(String(port));
      const path = new URL(request.url).pathname;
      requests.push(`${request.method} ${path} ${await request.text()}`);
      return Response.json({ token: "t" });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const PEOPLE = `name\n${
  Array.from({ length: 30 }, (_, at) => `person-${at}`).join("\n")
}\n`;

for (const workers of ["1", "2"]) {
  Deno.test(`bench run: a load run is rehearsed, and the target sees nothing of it; ${workers} threads`, async () => {
    await using target = recorder();
    using fixture = runFixture({
      flow,
      url: target.url,
      files: { "people.csv": PEOPLE },
    });
    const options = { env: { TOKEN: "secret-token-of-the-run" } };
    const { meta } = await fixture.run(
      ["--workers", workers, "--seed", "7"],
      options,
    );
    equal(meta.requests, target.requests.length);
    equal(meta.requests, 40);
    equal(meta.iterations.started, 20);
    ok(target.connections <= 8, `${target.connections} connections`);
    const rehearsed = target.requests.splice(0);
    await fixture.run(
      ["--workers", workers, "--seed", "7", "--no-rehearsal"],
      options,
    );
    // The same rows and drawn values, in whatever order the threads began.
    equal(
      rehearsed.toSorted().join("\n"),
      target.requests.toSorted().join("\n"),
    );
  });
}

Deno.test("bench plan: says how long a run rehearses", async () => {
  using fixture = runFixture({
    flow: flow.replace("hold: 2s", "hold: 1m"),
    url: "http://127.0.0.1:1",
    files: { "people.csv": PEOPLE },
  });

  const { stdout } = await bench(
    ["plan", "flow.yaml", "--target", "target.yaml"],
    { cwd: fixture.path, env: { TOKEN: "x" } },
  );
  match(stdout, /^rehearsal +up to 500ms, in memory: nothing is sent$/m);
});
