import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import type { TokenEndpointResponse } from "../../../../lib/steps/auth/token_response.ts";
import { KnownTokens } from "../../../../lib/steps/auth/tokens.ts";
import { createTokenSource } from "../../../../lib/steps/auth/token_endpoint.ts";
import type { HeaderList } from "../../../../lib/base/values/headers.ts";
import { granted, REQUEST } from "./token_exchange.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

interface Post {
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: string;
}

/** A token endpoint that gives these responses in turn; a function may reject. */
function endpoint(
  ...responses:
    (TokenEndpointResponse | (() => Promise<TokenEndpointResponse>))[]
) {
  const clock = new ManualClock(0);
  const posts: Post[] = [];
  const secrets: string[] = [];
  const tools: Parameters<typeof createTokenSource>[0] = {
    ...{ clock, signal: new AbortController().signal },
    registerSecret: (value) => void secrets.push(value),
    post(url, headers, body) {
      posts.push({ url, headers, body });
      const response = responses.shift();
      if (!response) throw new Error("one request too many");
      return typeof response === "function"
        ? response()
        : Promise.resolve(response);
    },
  };
  return { clock, posts, secrets, tools, source: createTokenSource(tools) };
}

Deno.test("tokens: id and secret are form-encoded before they become HTTP Basic", async () => {
  const { source, posts, secrets } = endpoint(granted("t"));
  await source.fetch({
    ...REQUEST,
    clientId: "my app:1",
    clientSecret: "s+/=é",
    scope: "read write:all",
  });
  const blob = btoa("my+app%3A1:s%2B%2F%3D%C3%A9");
  deepStrictEqual(posts, [{
    url: REQUEST.tokenUrl,
    headers: [
      ["Accept", "application/json"],
      ["Content-Type", "application/x-www-form-urlencoded"],
      ["Authorization", `Basic ${blob}`],
    ],
    body: "grant_type=client_credentials&scope=read+write%3Aall",
  }]);
  deepStrictEqual(secrets, [blob, "t"]);
});

for (const status of [400, 401]) {
  Deno.test(`tokens: on ${status} the credentials go once more, in the form`, async () => {
    const { source, posts } = endpoint(
      { status, body: '{"error":"invalid_client"}' },
      granted("t"),
    );
    strictEqual(
      await source.fetch({ ...REQUEST, clientSecret: "s s" }),
      "t",
    );
    deepStrictEqual(posts[1], {
      url: REQUEST.tokenUrl,
      headers: [
        ["Accept", "application/json"],
        ["Content-Type", "application/x-www-form-urlencoded"],
      ],
      body: "grant_type=client_credentials&client_id=app&client_secret=s+s",
    });
  });
}

Deno.test("tokens: credentials in the form may be met with 201", async () => {
  const { source } = endpoint(
    { status: 401, body: "" },
    { ...granted("t"), status: 201 },
  );
  strictEqual(await source.fetch(REQUEST), "t");
});

Deno.test("tokens: both refusals are reported", async () => {
  const { source, posts } = endpoint(
    { status: 401, body: '{"error":"invalid_client"}' },
    {
      status: 400,
      body: '{"error":"invalid_request","error_description":"no form"}',
    },
  );
  await rejects(source.fetch(REQUEST), {
    name: "AuthError",
    code: "token-status",
    message:
      "token endpoint `http://127.0.0.1/token` must respond with status 200, but it responded with 401 (invalid_client) to HTTP Basic and 400 (invalid_request: no form) to credentials in the form",
  });
  strictEqual(posts.length, 2);
});

Deno.test("tokens: what Retry-After of a refusal asks for comes with it, to Basic or to the form", async () => {
  const busy = { status: 503, body: "", retryAfterMs: 9_000 };
  for (const responses of [[busy], [{ status: 401, body: "" }, busy]]) {
    const { source } = endpoint(...responses);
    await rejects(source.lease(REQUEST), { retryInMs: 9_000 });
  }
});

Deno.test("tokens: a failure on the wire is an error that says what", async () => {
  const { source } = endpoint(() => Promise.reject(new Error("refused")));
  await rejects(source.fetch(REQUEST), {
    name: "AuthError",
    code: "token-fetch",
    message: "Cannot fetch a token from `http://127.0.0.1/token`: refused",
  });
});

/** [what, expires_in, seconds until it is renewed, and until it is not used] */
const lifetimes: readonly [string, unknown, number, number][] = [
  ["an hour: 30 s before its end", 3600, 3570, 3600],
  ["a number written as a string: likewise", "3600", 3570, 3600],
  ["31 s: 30 s before its end", 31, 1, 31],
  ["30.5 s: after 1 s at the least", 30.5, 1, 30.5],
  ["30 s: after half its life", 30, 15, 30],
  ["10 s: after half its life", 10, 5, 10],
  ["no time at all: after 1 s, so that requests do not storm", 0, 1, 1],
];

for (const [what, expires, renewed, ended] of lifetimes) {
  Deno.test(`tokens: renewed, when it lives ${what}`, async () => {
    const { source } = endpoint(granted("t", { expires_in: expires }));
    deepStrictEqual(await source.lease(REQUEST), {
      token: "t",
      renewInMs: renewed * 1_000,
      endsInMs: ended * 1_000,
    });
  });
}

for (const expires of [undefined, null]) {
  Deno.test(`tokens: kept for the run when expires_in is ${expires}`, async () => {
    const { source, clock } = endpoint(granted("t", { expires_in: expires }));
    await source.fetch(REQUEST);
    clock.time = Number.MAX_SAFE_INTEGER;
    strictEqual(source.current(REQUEST), "t");
  });
}

Deno.test("tokens: the life counts from the sending, not from the response", async () => {
  const { source, clock } = endpoint(() => {
    clock.time = 20_000;
    return Promise.resolve(granted("t", { expires_in: 60 }));
  });
  deepStrictEqual(await source.lease(REQUEST), {
    token: "t",
    renewInMs: 10_000,
    endsInMs: 40_000,
  });
});

Deno.test("tokens: other credentials have a token of their own", async () => {
  const { source } = endpoint(granted("a"), granted("b"), granted("c"));
  const other = { ...REQUEST, scope: "read" };
  strictEqual(await source.fetch(REQUEST), "a");
  strictEqual(source.current(other), undefined);
  strictEqual(await source.fetch(other), "b");
  strictEqual(source.current(REQUEST), "a");
  // Joined without care these two would be the same text.
  const left = { ...REQUEST, clientId: "x", clientSecret: "yz" };
  await source.fetch(left);
  strictEqual(
    source.current({ ...REQUEST, clientId: "xy", clientSecret: "z" }),
    undefined,
  );
});

Deno.test("tokens: a refreshed token is registered as a secret too", async () => {
  const { source, clock, secrets } = endpoint(
    granted("one", { expires_in: 31 }),
    granted("two", { expires_in: 31 }),
  );
  await source.fetch(REQUEST);
  clock.time = 31_000;
  await source.fetch(REQUEST);
  strictEqual(secrets.includes("one") && secrets.includes("two"), true);
});

Deno.test("tokens: a part of the run that follows takes the token of the one before, until that is due or refused", async () => {
  const { tools, clock, posts } = endpoint(
    ...["a", "b", "c"].map((each) => granted(each, { expires_in: 90 })),
  );
  const knownTokens = new KnownTokens();
  const part = () => createTokenSource({ ...tools, knownTokens });
  const setup = part();
  strictEqual(await setup.fetch(REQUEST), "a");
  setup.close();
  clock.time = 40_000;
  const load = part();
  const { token, renewInMs, endsInMs } = await load.lease(REQUEST);
  deepStrictEqual([token, renewInMs, endsInMs], ["a", 20_000, 50_000]);
  load.refused(REQUEST, clock.now());
  strictEqual(await load.fetch(REQUEST), "b");
  strictEqual(await part().fetch(REQUEST), "b");
  load.close();
  clock.time = 110_000;
  strictEqual(await part().fetch(REQUEST), "c");
  strictEqual(posts.length, 3);
});
