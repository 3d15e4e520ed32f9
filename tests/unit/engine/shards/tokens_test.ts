import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { temporaryStore } from "../merge/shares_apart.ts";
import { prepared, ShardedFixture } from "./sharded_fixture.ts";

/** A token endpoint, and a service that repeats the token it is sent. */
function tokenServer(issue: () => Promise<string>) {
  const seen = { fetched: 0, calls: [] as string[] };
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      if (new URL(request.url).pathname === "/token") {
        seen.fetched++;
        return Response.json({
          access_token: await issue(),
          token_type: "Bearer",
          expires_in: 3600,
        });
      }
      const sent = request.headers.get("authorization") ?? "";
      seen.calls.push(sent);
      return Response.json({ sent });
    },
  );
  return {
    seen,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function fixtureOf(url: string, bound: string, assert = "") {
  const run = await prepared({
    flow: `flow: tokens
auth:
  scheme: oauth2_client_credentials
  token_url: ${url}/token
  client_id: bench
  client_secret: "{{ env.SECRET }}"
profile: { mode: load, vus: 6, ${bound} }
steps:
  - id: one
    call: GET /one
${assert}`,
    baseUrl: url,
    env: { SECRET: "s3cret-of-the-client" },
  });
  return new ShardedFixture(run, 3);
}

Deno.test("shards: the lead fetches one token for the VUs of all of them", async () => {
  await using server = tokenServer(() => Promise.resolve("token-of-the-run"));
  const fixture = await fixtureOf(server.url, "iterations: 60");
  const { meta } = await fixture.all({ clock: systemClock });
  equal(meta.iterations.passed, 60);
  ok(meta.shards!.every((each) => each.iterations > 0));
  equal(server.seen.fetched, 1);
  deepStrictEqual([...new Set(server.seen.calls)], ["Bearer token-of-the-run"]);
  const seen = fixture.network.wires.flatMap(({ tap }) => tap)
    .map((bytes) => new TextDecoder("latin1").decode(bytes)).join("");
  ok(!seen.includes("token-of-the-run"), "it travels sealed");
});

Deno.test("shards: what a shard stores without its lead has no token that the lead fetched", async () => {
  using store = temporaryStore();
  await using server = tokenServer(() => Promise.resolve("token-of-the-run"));
  const fixture = await fixtureOf(
    server.url,
    "hold: 60s",
    "    assert: [$.sent == nothing]\n",
  );
  const options = { clock: systemClock, ...store };
  const lead = fixture.lead({ clock: systemClock });
  const one = await fixture.join(1, options);
  const two = await fixture.join(2, { clock: systemClock });
  while (server.seen.calls.length < 60) {
    await new Promise((resolve) => setTimeout(resolve));
  }
  fixture.network.wires.forEach((each) => each.cut());
  lead.stop.hard("interrupted", "SIGINT");
  const { directory } = await one.outcome;
  await Promise.all([lead.outcome, two.outcome]);
  const files = [...Deno.readDirSync(directory!)].map(({ name }) => name);
  ok(files.includes("share.json"));
  const texts = files.map((name) =>
    Deno.readTextFileSync(`${directory}/${name}`)
  );
  match(texts.join("\n"), /\[redacted\]/);
  ok(!texts.some((text) => text.includes("token-of-the-run")));
});

Deno.test("shards: who waits for a token when the lead is lost waits no longer", async () => {
  const asked = Promise.withResolvers<void>();
  const never = Promise.withResolvers<string>();
  await using server = tokenServer(() => {
    asked.resolve();
    return never.promise;
  });
  const fixture = await fixtureOf(server.url, "hold: 60s");
  const lead = fixture.lead({ clock: systemClock });
  const one = await fixture.join(1, { clock: systemClock });
  const two = await fixture.join(2, { clock: systemClock });
  await asked.promise;
  fixture.network.wires.forEach((each) => each.cut());
  for (const { outcome } of [one, two]) {
    const { meta } = await outcome;
    deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
    equal(meta.requests, 0);
  }
  lead.stop.hard("interrupted", "SIGINT");
  never.resolve("too late");
  await lead.outcome;
});
