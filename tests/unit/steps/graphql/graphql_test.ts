import { deepStrictEqual, equal } from "node:assert/strict";
import type {
  AttemptContext,
  OpenTools,
} from "../../../../lib/steps/protocol.ts";
import { graphql } from "../../../../lib/steps/graphql/graphql.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import type { HttpConnections } from "../../../../lib/wire/http/connections.ts";
import { attempted } from "../../../support/attempted.ts";
import { wireResponse } from "../http/wire_response.ts";

const TOOLS: OpenTools = {
  names: {
    variables: new Map([["id", 0]]),
    pools: new Map(),
    env: new Map([["TENANT", "acme"]]),
  },
  base: parseBaseUrl("http://127.0.0.1:8080/api"),
  authorizer: undefined,
  timeoutMs: 1_000,
  userAgent: "bench/test",
  seed: 1,
  position: 0,
  capture: "full",
  wall: () => 0,
  files: { directory: ".", readBytes: Deno.readFileSync },
};

/** The bytes of two attempts, with `id` 1 and 2. */
async function sent(block: JsonObject): Promise<[Uint8Array, Uint8Array]> {
  const requests: Uint8Array[] = [];
  const adapter = await graphql.open(block as never, TOOLS);
  for (const id of [1, 2]) {
    await attempted(adapter, {
      scope: { variables: [id], rows: [] },
      connections: {
        exchange(
          ...[, request, , done]: Parameters<HttpConnections["exchange"]>
        ) {
          equal(request.method, "POST");
          requests.push(request.http1());
          done(wireResponse(200, { data: {} }));
        },
      },
    } as unknown as AttemptContext);
  }
  return requests as [Uint8Array, Uint8Array];
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("graphql: the bytes of a request, with its holes filled", async () => {
  const [first, second] = await sent({
    url: "/graphql",
    headers: { "X-Tenant": "{{ env.TENANT }}" },
    query: 'query Q($id: Int) { a(b: $id, c: "é") }\n',
    variables: { id: "{{ id }}", a: "n° {{ id }}" },
    operation_name: "Q",
    on_errors: "fail",
  });
  const body = (id: number) =>
    `{"operationName":"Q","query":"query Q($id: Int) { a(b: $id, c: \\"é\\") }\\n","variables":{"a":"n° ${id}","id":${id}}}`;
  equal(
    text(first),
    "POST /api/graphql HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n" +
      "X-Tenant: acme\r\nUser-Agent: bench/test\r\n" +
      "Content-Type: application/json\r\nContent-Length: 109\r\n\r\n" +
      body(1),
  );
  equal(text(second).split("\r\n\r\n")[1], body(2));
});

Deno.test("graphql: a request without holes is the same bytes each time", async () => {
  const [first, second] = await sent({
    url: "/graphql",
    query: "{ a }",
    variables: { tenant: "{{ env.TENANT }}" },
    on_errors: "fail",
  });
  equal(first, second);
  equal(
    text(first).split("\r\n\r\n")[1],
    '{"query":"{ a }","variables":{"tenant":"acme"}}',
  );
});

Deno.test("graphql: no variables and no name are no keys", async () => {
  for (const variables of [undefined, {}]) {
    const [first] = await sent({
      url: "/graphql",
      query: "{ a }",
      ...(variables && { variables }),
      on_errors: "fail",
    });
    equal(text(first).split("\r\n\r\n")[1], '{"query":"{ a }"}');
  }
});

Deno.test("graphql: a declared header replaces the default, an empty one drops it", async () => {
  const block = { url: "/g", query: "{ a }", on_errors: "fail" };
  const [own] = await sent({
    ...block,
    headers: { "content-type": "application/graphql-request+json" },
  });
  equal(text(own).match(/content-type/gi)?.length, 1);
  const [none] = await sent({ ...block, headers: { "Content-Type": "" } });
  equal(/content-type/i.test(text(none)), false);
});

Deno.test("graphql: templates are everything but the document", () => {
  deepStrictEqual(
    [...graphql.block.parts!({
      url: "/{{ id }}",
      headers: { A: "{{ id }}" },
      query: "{ a }",
      variables: { id: "{{ id }}" },
      operation_name: "Q",
      on_errors: "fail",
    }, "")].filter(({ role }) => role === "template")
      .map(({ pointer }) => pointer),
    ["/url", "/variables", "/headers/A"],
  );
});
