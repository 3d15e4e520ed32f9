import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type {
  Names,
  Scope,
} from "../../../../lib/language/expressions/template.ts";
import { schemes } from "../../../../lib/steps/registry.ts";
import type {
  Authorizer,
  AuthTools,
} from "../../../../lib/steps/auth/scheme.ts";
import type { GrpcBlock } from "../../../../lib/steps/grpc/block.ts";
import { prepareMetadata } from "../../../../lib/steps/grpc/metadata.ts";
import type { OpenTools } from "../../../../lib/steps/protocol.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";
import { FieldBlock } from "../../../../lib/wire/http2/hpack/encoder.ts";
import { defaultsOf } from "../auth/recording_tools.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";

const NAMES: Names = {
  variables: new Map([["trace", 0]]),
  pools: new Map(),
  env: new Map([["TOKEN", "t0ken"], ["KEY", "k3y"]]),
};
const SCOPE: Scope = { variables: ["abc"], rows: [] };
const ORIGIN = parseOrigin("grpc://desk.test:50051");
const MESSAGE = new Uint8Array([1]);

function prepareAuth(auth: JsonObject): Authorizer {
  const scheme = schemes.get(String(auth["scheme"]))!;
  return scheme.prepare({ ...defaultsOf(scheme), ...auth }, {
    names: NAMES,
    clock: { now: () => 0, wall: () => 0 },
    registerSecret: () => {},
  } as unknown as AuthTools);
}

function prepared(headers: GrpcBlock["headers"], auth?: JsonObject) {
  const block = {
    proto: "desk.proto",
    method: "d.D/A",
    ...(headers && { headers }),
  };
  return prepareMetadata(block, "/d.D/A", {
    names: NAMES,
    authorizer: auth &&
      prepareAuth(auth),
    timeoutMs: 2_000,
    userAgent: "bench/test",
    seed: 1,
    position: 0,
  } as unknown as OpenTools);
}

Deno.test("prepareMetadata puts together once what every call says", () => {
  const make = prepared({ "X-Shop": "north", "X-Trace": "{{ trace }}" });
  const [first, second] = [
    make(ORIGIN, MESSAGE, SCOPE),
    make(ORIGIN, MESSAGE, SCOPE),
  ];
  const [pseudo, regular, ...late] = first;
  strictEqual(second[0], pseudo);
  strictEqual(second[1], regular);
  deepStrictEqual(
    (pseudo as FieldBlock).fields.map(({ name, value }) => [name, value]),
    [
      [":method", "POST"],
      [":scheme", "http"],
      [":authority", "desk.test:50051"],
      [":path", "/d.D/A"],
    ],
  );
  deepStrictEqual(
    (regular as FieldBlock).fields.map(({ name, value }) => [name, value]),
    [
      ["te", "trailers"],
      ["content-type", "application/grpc"],
      ["grpc-timeout", "2000m"],
      ["user-agent", "bench/test"],
      ["x-shop", "north"],
    ],
  );
  deepStrictEqual(late, [{ name: "x-trace", value: "abc", literal: "once" }]);
});

const CREDENTIALS: readonly (readonly [
  what: string,
  headers: GrpcBlock["headers"],
  auth: JsonObject | undefined,
  names: readonly string[],
])[] = [
  ["a bearer token", {}, { scheme: "bearer", token: "{{ env.TOKEN }}" }, [
    "authorization",
  ]],
  ["an API key", {}, {
    scheme: "api_key",
    name: "X-Key",
    value: "{{ env.KEY }}",
    in: "header",
  }, ["x-key"]],
  ["a cookie", {}, { scheme: "cookie", name: "sid", value: "{{ env.KEY }}" }, [
    "cookie",
  ]],
  ["a signature", {}, {
    scheme: "hmac",
    secret: "{{ env.KEY }}",
    algorithm: "sha256",
    encoding: "hex",
    header: "X-Signature",
  }, ["x-signature"]],
  ["a declared credential", { Authorization: "Basic {{ trace }}" }, undefined, [
    "authorization",
  ]],
  [
    "nothing else",
    { "X-Shop": "north", "X-Trace": "{{ trace }}" },
    undefined,
    [],
  ],
];

for (const [what, headers, auth, names] of CREDENTIALS) {
  Deno.test(`prepareMetadata keeps out of every table: ${what}`, () => {
    const fields = prepared(headers, auth)(ORIGIN, MESSAGE, SCOPE)
      .flatMap((each) => each instanceof FieldBlock ? each.fields : [each]);
    deepStrictEqual(
      fields.filter(({ literal }) => literal === "never").map(({ name }) =>
        name
      ),
      names,
    );
  });
}
