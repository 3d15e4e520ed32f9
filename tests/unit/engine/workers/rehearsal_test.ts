import { equal, ok } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { prepareRun } from "../../../../lib/compile.ts";
import { yamlInput } from "../../../support/run_in_process.ts";
import { readInput } from "../../../../lib/base/text/read_input.ts";
import { planOf, taskOf } from "../../../../lib/engine/run_context/facts.ts";
import { Stop } from "../../../../lib/engine/vu/stop.ts";
import { rehearse } from "../../../../lib/engine/workers/rehearsal.ts";
import { STRICT } from "../../../support/strict.ts";

const EXAMPLES = new URL("../../../../examples/", import.meta.url).pathname;

/** Carries the rehearsal of a flow out, and nothing else. */
async function rehearsalOf(
  steps: string,
  { more = "", load = "vus: 4, hold: 5s", base = "http://127.0.0.1:1" } = {},
  http: "1.1" | "2" | "auto" = "auto",
) {
  const flow =
    `version: 1\nflow: here\nprofile: { mode: load, ${load} }\n${more}steps:\n${steps}`;
  const target = `name: here\nbase_urls: ["${base}"]\n`;
  const prepared = await prepareRun(
    yamlInput("flow.yaml", flow, EXAMPLES),
    yamlInput("target.yaml", target, EXAMPLES),
    {
      env: () => "secret-of-the-environment",
      readBytes: (path, most) =>
        path.endsWith(".csv")
          ? new TextEncoder().encode("name\none\ntwo\n")
          : readInput(path, most),
    },
  );
  const options = {
    seed: 1,
    tls: { caCerts: [], insecure: false },
    http,
    clock: systemClock,
    chance: () => 0.5,
    stop: new Stop(),
    signal: () => undefined,
    notes: [],
    rehearsal: true,
  };
  const task = taskOf(prepared, planOf(prepared, options), options);
  // A rehearsal has half a second: of this one, ten, on a machine that is busy.
  const clock = { ...systemClock, now: () => systemClock.now() / 20 };
  return await rehearse(task, prepared.fixtures, clock, options.stop);
}

/** Some went round, and passed, though the server is not there. */
async function allPass(...args: Parameters<typeof rehearsalOf>) {
  const { completed, failed } = (await rehearsalOf(...args))!.iterations;
  ok(completed >= 2, `${completed} iterations`);
  equal(failed, 0);
}

const LOGIN = `  - id: login
    call: POST /login
    body: { user: me }
    assert:
      - $.items[1].id == 7
      - $['odd name'] == "x"
    extract: { token: $.session.token }
  - id: use
    call: GET /items/{{ token }}
    auth: { scheme: bearer, token: "{{ token }}" }
    assert:
      - status == 200
      - $.session.token == {{ token }}
`;

for (const http of ["1.1", "2", "auto"] as const) {
  for (const base of ["http://127.0.0.1:1", "https://127.0.0.1:1"]) {
    Deno.test(
      `rehearse: steps pass over ${base.split(":")[0]} with --http ${http}`,
      STRICT,
      () => allPass(LOGIN, { base }, http),
    );
  }
}

Deno.test(
  "rehearse: an open loop",
  STRICT,
  () => allPass(LOGIN, { load: "vus: 4, hold: 5s, arrival_cap: 10/s" }),
);

Deno.test("rehearse: WebSocket sessions", STRICT, () =>
  allPass(`  - id: open
    ws: { url: / }
${
    Array.from({ length: 3 }, (_, at) =>
      `  - id: echo_${at}
    ws: { send: { id: 42 }, receive: { match: $.id == 42 } }
`).join("")
  }`));

Deno.test("rehearse: unary gRPC", STRICT, () =>
  allPass(`  - id: ask
    grpc: { proto: protos/catalog.proto, method: shop.v1.Catalog/GetItem, message: { id: 7 } }
    assert: [status == OK]
`));

Deno.test(
  "rehearse: waits and polls are not waited for",
  STRICT,
  () =>
    allPass(`  - id: rest
    wait: 1h
  - id: poll
    poll: { call: GET /state, interval: 1h, timeout: 3h, until: ['$.state == "done"'] }
`),
);

Deno.test(
  "rehearse: no socket is opened for tokens, and rows are handed out",
  STRICT,
  () =>
    allPass(
      `  - id: get
    call: GET /{{ user.name }}
    auth:
      scheme: oauth2_client_credentials
      token_url: http://127.0.0.1:1/token
      client_id: "{{ env.ID }}"
      client_secret: "{{ env.SECRET }}"
`,
      { more: "data: people.csv\n" },
    ),
);

Deno.test(
  "rehearse: a short run, a few iterations and a functional run do without",
  STRICT,
  async () => {
    for (
      const load of ["vus: 4, hold: 1s", "vus: 4, iterations: 100"]
    ) {
      equal(await rehearsalOf(LOGIN, { load }), undefined);
    }
  },
);

Deno.test(
  "rehearse: names of properties that every object has are names",
  STRICT,
  () =>
    allPass(`  - id: get
    call: GET /
    assert:
      - $.__proto__.x == 1
      - $.constructor.name == "x"
`),
);
