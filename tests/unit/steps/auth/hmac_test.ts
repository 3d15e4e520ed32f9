import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  hmac,
  signature,
  signingKey,
} from "../../../../lib/steps/auth/hmac.ts";
import { AuthError } from "../../../../lib/steps/auth/scheme.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";
import requests from "../../../vectors/hmac/requests.json" with {
  type: "json",
};
import rfc4231 from "../../../vectors/hmac/rfc4231.json" with { type: "json" };
import {
  defaultsOf,
  draftOf,
  recordingTools,
  scopeOf,
} from "./recording_tools.ts";

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

function signer(block: JsonObject, secret: string, timestamp = 0) {
  const tools = recordingTools({ SECRET: secret });
  tools.clock.time = timestamp * 1_000;
  const { sign } = hmac.prepare({
    ...defaultsOf(hmac),
    secret: "{{ env.SECRET }}",
    ...block,
  }, tools);
  return { tools, sign: sign! };
}

for (const each of rfc4231.cases.filter((item) => item.key_is_text)) {
  Deno.test(`hmac: RFC 4231 ${each.name}, through \`sign: "{body}"\``, () => {
    const secret = Buffer.from(each.key_hex, "hex").toString();
    const draft = draftOf({ body: bytes(each.data_hex) });
    for (const algorithm of ["sha256", "sha512"] as const) {
      const { sign } = signer({ sign: "{body}", algorithm }, secret);
      deepStrictEqual(sign(draft, scopeOf()), [
        ["X-Signature", each[`${algorithm}_hex`]],
      ]);
    }
  });
}

for (const each of requests.cases) {
  Deno.test(`hmac: ${each.name}`, () => {
    const { method, path, query, body_hex } = each.request;
    const { sign } = signer(each.block, each.secret, each.timestamp);
    const draft = draftOf({ method, path, query, body: bytes(body_hex) });
    deepStrictEqual(sign(draft, scopeOf()), each.headers);
  });
}

Deno.test("hmac: each attempt is signed with the time it is made", () => {
  const { tools, sign } = signer({ timestamp_header: "X-Time" }, "s", 100);
  const [first, firstTime] = sign(draftOf(), scopeOf());
  tools.clock.time = 101_999;
  const [second, secondTime] = sign(draftOf(), scopeOf());
  deepStrictEqual([firstTime, secondTime], [["X-Time", "100"], [
    "X-Time",
    "101",
  ]]);
  strictEqual(first![1] === second![1], false);
});

Deno.test("hmac: the key id may come from the row", () => {
  const { sign } = signer({ key_id: "{{ user.key }}", sign: "{key_id}" }, "s");
  const fields = (key: string) => sign(draftOf(), scopeOf(undefined, { key }));
  deepStrictEqual(fields("k1"), [
    ["X-Signature", signature(signingKey("sha256", "s"), ["k1"], "hex")],
    ["X-Key-Id", "k1"],
  ]);
  deepStrictEqual(fields("k2")[1], ["X-Key-Id", "k2"]);
});

Deno.test("hmac: the signature is not registered as a secret", () => {
  const { tools, sign } = signer({}, "s");
  sign(draftOf(), scopeOf());
  deepStrictEqual(tools.secrets, []);
});

Deno.test("hmac: `{key_id}` without a key id, and a wrong `sign`, are errors", () => {
  const block = { ...defaultsOf(hmac), secret: "{{ env.S }}" };
  for (const sign of ["{key_id}", "{nonce}"]) {
    deepStrictEqual(
      hmac.check!({ ...block, sign }).map(({ at, code }) => [at, code]),
      [["/sign", "bad-sign"]],
    );
    throws(() => hmac.prepare({ ...block, sign }, recordingTools()), AuthError);
  }
  deepStrictEqual(hmac.check!({ ...block, sign: "{key_id}", key_id: "k" }), []);
});
