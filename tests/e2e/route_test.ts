import { deepEqual, equal, match } from "node:assert/strict";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";
import { grpcServer, respond, textField } from "../support/grpc_server.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";
import { authority, server as pair } from "../support/tls/certificates.ts";
import { tunnelProxy } from "../support/tunnel_proxy.ts";
import { wsServer } from "../support/ws_server.ts";

Deno.test("--resolve: a run, its replay and a search of the capacity connect to the address that is given", async () => {
  await using target = await demoTarget();
  const { port } = new URL(target.url);
  using folder = workspace({
    "t.yaml": `name: t\nbase_urls: ["http://shop.invalid:${port}"]\n`,
    "f.bench.yaml": `flow: f
profile: { mode: load, vus: 1, hold: 1s, thresholds: [error_rate < 1%] }
steps: [{ id: item, call: GET /items/1 }]
`,
  });
  const pinned = (...args: string[]) =>
    bench([...args, "--resolve", `shop.invalid:${port}:127.0.0.1`], {
      cwd: folder.path,
    });
  const flow = ["f.bench.yaml", "--target", "t.yaml"];
  const run = await pinned("run", ...flow, "--mode", "integration");
  equal(run.code, 0, run.stderr);
  match(run.stdout, /not looked up/);
  const again = await pinned("replay", "latest");
  equal(again.code, 0, again.stderr);
  const level = ["--from", "20", "--most", "20", "--trial", "2s"];
  const { stdout } = await pinned("capacity", ...flow, ...level);
  match(stdout, /^ +20 .* 0% +0% /m);
});

const DESK = `syntax = "proto3";
package desk;
service Desk { rpc Ask (Question) returns (Said); }
message Question { string text = 1; }
message Said { string text = 1; }
`;

/** A server that speaks TLS, and a step that it responds to. */
const SECURE = {
  call: {
    serve: () => recordingServer(() => rawResponse(200), { tls: pair }),
    step: "call: GET /",
  },
  grpc: {
    serve: () => grpcServer((call) => respond(call, textField("yes")), pair),
    step:
      "grpc: { proto: desk.proto, method: desk.Desk/Ask }, assert: [$.text == yes]",
  },
  ws: {
    serve: () =>
      wsServer({
        tls: pair,
        session: ({ socket }) =>
          socket.on("message", () => socket.send(`{"n":7}`)),
      }),
    step: "ws: { url: /, send: { n: 7 }, receive: }, assert: [$.n == 7]",
  },
};

for (const [kind, { serve, step }] of Object.entries(SECURE)) {
  Deno.test(`--proxy: a ${kind} step goes through a tunnel, with TLS to the target in it`, async () => {
    await using server = await serve();
    const port = "port" in server ? server.port : new URL(server.url).port;
    const asked: string[] = [];
    await using proxy = tunnelProxy(Number(port), asked);
    // The name is looked up by the proxy alone, and the certificate is for it.
    const run = await runOnce({
      flow: `flow: tunnel
steps:
  - { id: one, ${step} }
`,
      url: "https://localhost:9",
      files: { "desk.proto": DESK, "ca.pem": authority },
    }, ["--proxy", proxy.url, "--cacert", "ca.pem"]);
    equal(run.code, 0, run.stdout + run.stderr);
    deepEqual(asked.map((each) => each.split("\r\n")[0]), [
      "CONNECT localhost:9 HTTP/1.1",
    ]);
  });
}
