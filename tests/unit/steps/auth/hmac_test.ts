import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { hmac } from "../../../../lib/steps/auth/hmac.ts";
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

const ALGORITHMS = ["sha256", "sha512"] as const;
const ENCODINGS = ["hex", "base64"] as const;

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
    for (const algorithm of ALGORITHMS) {
      const { sign } = signer({ sign: "{body}", algorithm }, secret);
      deepStrictEqual(sign(draft, scopeOf()), [
        ["X-Signature", each[`${algorithm}_hex`]],
      ]);
    }
  });
}

Deno.test("hmac: any key and body sign as with the platform's HMAC", () => {
  fc.assert(fc.property(
    fc.constantFrom(...ALGORITHMS),
    fc.constantFrom(...ENCODINGS),
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      // Keys of a block, and a byte less and more.
      fc.constantFrom(63, 64, 65, 127, 128, 129).map((n) => "k".repeat(n)),
    ),
    fc.uint8Array({ maxLength: 300 }),
    (algorithm, encoding, key, body) => {
      const { sign } = signer({ sign: "{body}", algorithm, encoding }, key);
      deepStrictEqual(sign(draftOf({ body }), scopeOf()), [
        [
          "X-Signature",
          createHmac(algorithm, key).update(body).digest(encoding),
        ],
      ]);
    },
  ));
});

const DIGEST =
  "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
const NO_DIGEST =
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What is signed of a request with the body `{}`, or one without a body. */
const SIGNED = [
  ["the text that is signed by default", undefined, `POST\n/a\n17\n${DIGEST}`],
  ["nothing", "", ""],
  ["text alone", "fixed", "fixed"],
  ["neighbours", "a{query}{body}b", "ab=1{}b"],
  ["no body", "{body_sha256}", NO_DIGEST, ""],
  ["{method}", "{method}", "POST"],
  ["{path}", "{path}", "/a"],
  ["{query}", "{query}", "b=1"],
  ["{body}", "{body}", "{}"],
  ["{body_sha256}", "{body_sha256}", DIGEST],
  ["{timestamp}", "{timestamp}", "17"],
  ["{key_id}", "{key_id}", "k1"],
] as const;

for (const [what, text, expected, body = "{}"] of SIGNED) {
  Deno.test(`hmac: \`sign\` may be ${what}`, () => {
    const block = { key_id: "k1", ...(text !== undefined && { sign: text }) };
    const { sign } = signer(block, "s", 17);
    const draft = { method: "POST", path: "/a", query: "b=1" };
    const [[, signature] = []] = sign(
      draftOf({ ...draft, body: new TextEncoder().encode(body) }),
      scopeOf(),
    );
    strictEqual(
      signature,
      createHmac("sha256", "s").update(expected).digest("hex"),
    );
  });
}

const WRONG = [
  ["a misspelt placeholder", "{methd}", "`sign` has no placeholder `{methd}`"],
  [
    "white space inside",
    "{ method }",
    "`sign` has no placeholder `{ method }`",
  ],
  ["an empty placeholder", "{}", "`sign` has no placeholder `{}`"],
  [
    "a template",
    "{{ env.X }}",
    "`sign` takes no templates, but it has `{{ env.X }}`",
  ],
  [
    "a brace that is not closed",
    "{method}\n{path",
    "`sign` has a `{` that belongs to no placeholder",
  ],
  [
    "a brace that was not opened",
    "method}",
    "`sign` has a `}` that belongs to no placeholder",
  ],
] as const;

for (const [what, sign, message] of WRONG) {
  Deno.test(`hmac: ${what} in \`sign\` is named`, () => {
    const found = hmac.check!({ ...defaultsOf(hmac), secret: "s", sign });
    deepStrictEqual(found.map((each) => each.message), [message]);
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
    ["X-Signature", createHmac("sha256", "s").update("k1").digest("hex")],
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
