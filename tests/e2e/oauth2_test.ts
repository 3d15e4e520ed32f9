import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import {
  type Arrival,
  bodyOf,
  headerOf,
  type RecordingServer,
  recordingServer,
} from "../support/recording_server.ts";
import { follow } from "../support/live_command.ts";
import {
  type FixtureRun,
  runFixture,
  runOnce,
} from "../support/run_fixture.ts";

const ENV = { ID: "my client", SECRET: "s3cr3t/+&", SCOPE: "read" };

/** A flow whose steps all use one token. */
function flow(profile: string, more = "", between = ""): string {
  return `flow: tokens
auth:
  scheme: oauth2_client_credentials
  token_url: "{{ env.TOKEN_URL }}"
  client_id: "{{ env.ID }}"
  client_secret: "{{ env.SECRET }}"
  scopes: [read, write]
profile: ${profile}
${more}steps:
  - { id: one, call: GET /one }
${between}  - { id: two, call: GET /two }
`;
}

/** A server with a token endpoint; every token has another number. */
function tokenServer(
  { expiresIn = 3600, basic = true }: {
    expiresIn?: number;
    basic?: boolean;
  } = {},
): RecordingServer {
  let issued = 0;
  return recordingServer((arrival) => {
    if (!arrival.line.startsWith("POST /token")) {
      const token = headerOf(arrival, "Authorization") ?? "";
      return rawResponse(/^Bearer token-\d+$/.test(token) ? 200 : 401);
    }
    if (!basic && headerOf(arrival, "Authorization")) return rawResponse(401);
    const access_token = `token-${issued++}`;
    return rawResponse(200, {
      access_token,
      token_type: "Bearer",
      expires_in: expiresIn,
    });
  });
}

function fetches(server: RecordingServer): Arrival[] {
  return server.arrivals.filter(({ line }) => line === "POST /token");
}

async function run(
  server: RecordingServer,
  text: string,
  args: string[] = [],
  files: Record<string, string> = {},
): Promise<FixtureRun> {
  const env = { ...ENV, TOKEN_URL: `${server.url}/token` };
  const result = await runOnce({ flow: text, url: server.url, files }, args, {
    env,
  });
  equal(result.code, 0, result.stdout + result.stderr);
  return result;
}

Deno.test("oauth2: one token for all rows and VUs of a run, by HTTP Basic", async () => {
  await using server = tokenServer();
  const rows = "n\n" + [1, 2, 3, 4, 5, 6].join("\n");
  const text = flow("{ mode: integration, vus: 3 }", "data: rows.csv\n");
  await run(server, text, [], { "rows.csv": rows });
  const [fetch, ...others] = fetches(server);
  equal(others.length, 0);
  equal(bodyOf(fetch!), "grant_type=client_credentials&scope=read+write");
  equal(
    headerOf(fetch!, "Authorization"),
    `Basic ${btoa("my+client:s3cr3t%2F%2B%26")}`,
  );
  equal(
    headerOf(fetch!, "Content-Type"),
    "application/x-www-form-urlencoded",
  );
  const used = server.arrivals.filter(({ line }) => line.startsWith("GET"))
    .map((each) => headerOf(each, "Authorization"));
  equal(used.length, 12);
  deepStrictEqual([...new Set(used)], ["Bearer token-0"]);
});

Deno.test("oauth2: one token for every worker of a load run", async () => {
  await using server = tokenServer();
  const text = flow("{ mode: load, vus: 4, iterations: 40 }");
  await run(server, text, ["--workers", "2"]);
  equal(fetches(server).length, 1);
  equal(server.arrivals.length, 81);
});

for (const workers of [1, 2]) {
  Deno.test(`oauth2: one token for setup, iterations and teardown, with ${workers} workers`, async () => {
    await using server = tokenServer();
    const once = (list: string) => `${list}: [{ id: ${list}, call: GET /x }]\n`;
    const text = flow(
      "{ mode: load, vus: 2, iterations: 4 }",
      once("setup") + once("teardown"),
    );
    const { code } = await run(server, `version: 1\n${text}`, [
      ...["--workers", String(workers)],
    ]);
    equal(code, 0);
    equal(fetches(server).length, 1);
  });
}

Deno.test("oauth2: a token that lives shortly is fetched anew", async () => {
  await using server = tokenServer({ expiresIn: 1 });
  // A token is used for one second at the least.
  const pause = "  - { id: pause, wait: 1050ms }\n";
  await run(server, flow("{ mode: integration }", "", pause));
  deepStrictEqual(
    server.arrivals.map((each) =>
      `${each.line} ${
        headerOf(each, "Authorization")?.replace(/Basic .*/, "Basic")
      }`
    ),
    [
      "POST /token Basic",
      "GET /one Bearer token-0",
      "POST /token Basic",
      "GET /two Bearer token-1",
    ],
  );
});

Deno.test("oauth2: a renewal that fails while the token before holds is a note", async () => {
  const refused = Promise.withResolvers<void>();
  await using server = recordingServer(({ line, index }) => {
    if (line === "GET /two") {
      return refused.promise.then(() => rawResponse(200));
    }
    if (index === 0) {
      // Renewed 30 s before its end: after 1 s.
      return rawResponse(200, { access_token: "opaque-0", expires_in: 31 });
    }
    if (line === "POST /token") {
      refused.resolve();
      return rawResponse(503, { error: "temporarily_unavailable" });
    }
    return rawResponse(200);
  });
  const pause = "  - { id: pause, wait: 1050ms }\n";
  const after = "  - { id: end, wait: 200ms }\n";
  const { meta } = await run(
    server,
    flow("{ mode: integration }", "", pause) + after,
  );
  equal(meta.notes.length, 1);
  match(
    meta.notes[0]!,
    /^1 renewal of an OAuth2 token failed; the last: token endpoint `.*` must respond with status 200, but it responded with 503 \(temporarily_unavailable\)$/,
  );
});

for (const profile of ["mode: integration", "mode: load, iterations: 1"]) {
  Deno.test(`oauth2: a token that falls due in a backoff is renewed then, and the next attempt carries it, with ${profile}`, async () => {
    let issued = 0;
    await using server = recordingServer(({ line, index }) =>
      line === "POST /token"
        ? rawResponse(200, {
          access_token: `token-${issued++}`,
          // Renewed 30 s before its end: after 1 s.
          expires_in: issued === 1 ? 31 : 3600,
        })
        : rawResponse(index === 1 ? 503 : 200)
    );
    const retry =
      "retry: { on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 3s }";
    const text = flow(`{ ${profile} }`)
      .replace("call: GET /one }", `call: GET /one, ${retry} }`);
    await run(server, text, profile.includes("load") ? ["--workers", "2"] : []);
    deepStrictEqual(
      server.arrivals.map((each) =>
        `${each.line} ${headerOf(each, "Authorization")?.split(" ")[1]}`
      ).map((each) => each.replace(/(\/token) .*/, "$1")),
      [
        "POST /token",
        "GET /one token-0",
        "POST /token",
        "GET /one token-1",
        "GET /two token-1",
      ],
    );
  });
}

Deno.test("oauth2: a server that will not have Basic gets the form", async () => {
  await using server = tokenServer({ basic: false });
  await run(server, flow("{ mode: integration }"));
  const [basic, form, ...others] = fetches(server);
  equal(others.length, 0);
  match(headerOf(basic!, "Authorization")!, /^Basic /);
  equal(headerOf(form!, "Authorization"), undefined);
  equal(
    bodyOf(form!),
    "grant_type=client_credentials&scope=read+write&client_id=my+client&client_secret=s3cr3t%2F%2B%26",
  );
});

Deno.test("oauth2: a refused token fails the step and says what the server said", async () => {
  await using server = recordingServer(() =>
    rawResponse(401, { error: "invalid_client", error_description: "who?" })
  );
  const env = { ...ENV, TOKEN_URL: `${server.url}/token` };
  const text = flow("{ mode: integration }");
  const result = await runOnce({ flow: text, url: server.url }, [], { env });
  equal(result.code, 1);
  match(result.stdout, /invalid_client: who\?/);
  equal(result.meta.failures[0]?.code, "token-status");
  ok(server.arrivals.every(({ line }) => line === "POST /token"));
});

for (const workers of ["1", "2"]) {
  Deno.test(`oauth2: requests go on with the valid token while it is renewed, with ${workers} workers`, async () => {
    let asked = 0;
    let meanwhile = 0;
    const enough = Promise.withResolvers<void>();
    const renewed = Promise.withResolvers<void>();
    await using server = recordingServer(async (arrival) => {
      if (arrival.line !== "POST /token") {
        const old = headerOf(arrival, "Authorization") === "Bearer token-0";
        if (asked === 2 && old && ++meanwhile === 50) enough.resolve();
        if (!old) renewed.resolve();
        return rawResponse(200);
      }
      const number = asked++;
      // The second one gets no response before requests went on without it.
      if (number === 1) await enough.promise;
      const expires_in = number === 0 ? 31 : 3600;
      return rawResponse(200, { access_token: `token-${number}`, expires_in });
    });
    // Renewed 30 s before its end: after 1 s.
    using fixture = runFixture({
      flow: flow("{ mode: load, vus: 4, hold: 5m }"),
      url: server.url,
    });
    const env = { ...ENV, TOKEN_URL: `${server.url}/token` };
    const command = follow(fixture.start(["--workers", workers], { env }));
    await renewed.promise;
    command.process.kill("SIGINT");
    const { meta, code, stderr } = fixture.found(await command.ended());
    equal(code, 130, stderr);
    equal(meta.iterations.failed, 0);
    ok(meanwhile >= 50);
    equal(fetches(server).length, 2);
  });

  Deno.test(`oauth2: a run does not wait for a renewal that is under way at its end, with ${workers} workers`, async () => {
    let asked = 0;
    const over = Promise.withResolvers<undefined>();
    const renewing = Promise.withResolvers<void>();
    await using server = recordingServer((arrival) => {
      if (arrival.line !== "POST /token") return rawResponse(200);
      if (asked++ === 0) {
        return rawResponse(200, { access_token: "token-0", expires_in: 31 });
      }
      renewing.resolve();
      return over.promise;
    });
    using fixture = runFixture({
      flow: flow("{ mode: load, vus: 2, hold: 5m }"),
      url: server.url,
      target: "request_timeout: 1h\n",
    });
    const env = { ...ENV, TOKEN_URL: `${server.url}/token` };
    const command = follow(fixture.start(["--workers", workers], { env }));
    await renewing.promise;
    command.process.kill("SIGINT");
    const { code, stderr, meta } = fixture.found(await command.ended());
    over.resolve(undefined);
    equal(code, 130, stderr);
    equal(meta.iterations.failed, 0);
    equal(fetches(server).length, 2);
  });

  Deno.test(`oauth2: a failing token endpoint is left alone, and iterations fail with its reason, with ${workers} workers`, async () => {
    await using server = recordingServer(() =>
      rawResponse(503, { error: "temporarily_unavailable" })
    );
    const env = { ...ENV, TOKEN_URL: `${server.url}/token` };
    const text = flow("{ mode: load, vus: 4, hold: 1500ms }");
    const result = await runOnce(
      { flow: text, url: server.url },
      ["--workers", workers],
      { env },
    );
    const { iterations, failures, duration_ms } = result.meta;
    // At once, after 1 s, and then after 2 s more: the run is mostly over by then.
    const most = 1 + Math.floor(Math.log2(duration_ms / 1_000 + 1));
    ok(fetches(server).length <= most, `${fetches(server).length} requests`);
    equal(server.arrivals.length, fetches(server).length);
    ok(iterations.failed > 2 * most, `${iterations.failed} iterations`);
    equal(failures.length, 1);
    match(
      failures[0]!.message,
      /responded with 503 \(temporarily_unavailable\)/,
    );
  });

  Deno.test(`oauth2: a revoked token that a listed 401 reports is fetched anew, once, with ${workers} workers`, async () => {
    let issued = 0;
    let served = 0;
    await using server = recordingServer((arrival) => {
      if (arrival.line === "POST /token") {
        return rawResponse(200, { access_token: `token-${issued++}` });
      }
      // From the 31st request on the first token is worth nothing.
      const expected = ++served > 30 ? "Bearer token-1" : "Bearer token-0";
      return rawResponse(
        headerOf(arrival, "Authorization") === expected ? 200 : 401,
      );
    });
    const retry =
      ", retry: { on_status: [401], backoff: fixed, max_attempts: 2, base_delay: 1ms }";
    const text = flow("{ mode: load, vus: 6, iterations: 60 }")
      .replaceAll(/(call: GET \/\w+)/g, `$1${retry}`);
    const { meta } = await run(server, text, ["--workers", workers]);
    deepStrictEqual(
      [meta.iterations.completed, meta.iterations.failed, issued],
      [60, 0, 2],
    );
  });

  Deno.test(`oauth2: token requests count under max_rps in the open executor, with ${workers} workers`, async () => {
    // Every token takes two requests: HTTP Basic is refused.
    await using server = tokenServer({ basic: false });
    const text = flow("{ mode: load, vus: 4, arrival_cap: 40/s, hold: 1s }")
      .replace(/^.*id: two.*\n/m, "");
    const env = { ...ENV, TOKEN_URL: `${server.url}/token` };
    const { code, stderr, meta } = await runOnce(
      { flow: text, url: server.url, target: "max_rps: 40\n" },
      ["--workers", workers],
      { env },
    );
    equal(code, 0, stderr);
    equal(fetches(server).length, 2);
    const unserved = meta.generator!.unserved_slots;
    equal(server.arrivals.length + unserved, 40);
  });
}

Deno.test("oauth2: the `timeout` of a poll bounds the wait for a token too", async () => {
  const over = Promise.withResolvers<void>();
  await using server = recordingServer(async ({ line }) => {
    if (line.startsWith("POST")) await over.promise;
    return rawResponse(202);
  });
  const polls = `  - id: polls
    poll: { call: GET /, until: [status == 200], interval: 1ms, timeout: 60ms }
`;
  const result = await runOnce(
    {
      flow: flow("{ mode: integration }", "", polls).replace(
        / {2}- \{.*\n/g,
        "",
      ),
      url: server.url,
    },
    [],
    { env: { ...ENV, TOKEN_URL: `${server.url}/token` } },
  );
  over.resolve();
  equal(result.code, 1, result.stderr);
  const [failure] = result.meta.failures;
  equal(failure?.message, "gave up after 1 round: no token in time");
});

for (const workers of ["1", "2"]) {
  Deno.test(`oauth2: steps without a token because of a 429 are throttled, with ${workers} workers`, async () => {
    await using server = recordingServer(() => rawResponse(429));
    const polls = `  - id: polls
    on_failure: record
    poll: { call: GET /, until: [status == 200], interval: 1ms, max_attempts: 3 }
`;
    const { meta, traces } = await runOnce(
      {
        flow: flow("{ mode: load, vus: 2, iterations: 4 }").replace(
          "steps:\n",
          `steps:\n${polls}`,
        ),
        url: server.url,
      },
      ["--workers", workers],
      { env: { ...ENV, TOKEN_URL: `${server.url}/token` } },
    );
    const { failed, throttled } = meta.iterations;
    deepStrictEqual([failed, throttled, meta.error_rate], [0, 4, 0]);
    equal(meta.verdict, "fail");
    deepStrictEqual(
      meta.steps.map(({ throttled, failed }) => [throttled, failed]),
      [[4, 0], [4, 0], [0, 0]],
    );
    for (const { spans } of traces) {
      const [step] = spans.filter(({ name }) => name === "one");
      equal(step?.failure?.code, "throttled");
      match(step!.failure!.message, /token endpoint .* responded with 429/);
    }
  });
}

for (
  const [status, retried, gets] of [
    [429, "[429]", 1],
    [429, "[503]", 0],
    [503, "[429, 503]", 1],
    [503, "[502]", 0],
    [403, "[403]", 0],
  ] as const
) {
  for (const workers of ["1", "2"]) {
    Deno.test(`oauth2: a ${status} of the token endpoint is one of the step's attempts, with on_status: ${retried} and ${workers} workers`, async () => {
      await using server = recordingServer(({ line, index }) =>
        index === 0 || line.startsWith("GET")
          ? rawResponse(index === 0 ? status : 200)
          : rawResponse(200, { access_token: "token" })
      );
      const retry =
        `retry: { on_status: ${retried}, backoff: fixed, max_attempts: 2, base_delay: 1ms }`;
      const { meta } = await runOnce(
        {
          flow: flow("{ mode: load, vus: 2, iterations: 1 }")
            .replace("call: GET /one }", `call: GET /one, ${retry} }`)
            .replace(/^.*id: two.*\n/m, ""),
          url: server.url,
        },
        ["--workers", workers],
        { env: { ...ENV, TOKEN_URL: `${server.url}/token` } },
      );
      equal(meta.iterations.passed, gets);
      equal(meta.iterations.throttled > 0, gets === 0 && status === 429);
      equal(server.arrivals.length, 1 + 2 * gets);
    });
  }
}
