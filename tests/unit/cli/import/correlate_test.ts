import { deepStrictEqual } from "node:assert/strict";
import { template } from "../../../../cli/import/draft/template_text.ts";
import { correlate } from "../../../../cli/import/har/correlate.ts";
import {
  type Exchange,
  readHar,
} from "../../../../cli/import/har/recording.ts";

/** What was sent, and what came back. */
interface Said {
  readonly url: string;
  readonly body?: unknown;
  /** A body that is no JSON. */
  readonly text?: string;
  /** Its media type. */
  readonly type?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly gives?: unknown;
  readonly fields?: readonly (readonly [string, string])[];
}

function recorded(said: readonly Said[]): Exchange[] {
  const fields = (of: Said["headers"] = []) =>
    of.map(([name, value]) => ({ name, value }));
  const entries = said.map((
    { url, headers, gives, fields: given, ...sent },
  ) => ({
    request: {
      method: "POST",
      url: `https://shop.example${url}`,
      headers: fields(headers),
      postData: {
        mimeType: sent.type ??
          (sent.text === undefined ? "application/json" : "text/xml"),
        text: sent.text ?? JSON.stringify(sent.body),
      },
    },
    response: {
      status: 200,
      headers: fields(given),
      content: { mimeType: "application/json", text: JSON.stringify(gives) },
    },
  }));
  return readHar(JSON.stringify({ log: { entries } }), "a.har");
}

/** Where each value of the last request comes from; nothing where it is its own. */
function taken(said: readonly Said[], confirmed = false) {
  const linked = correlate(recorded(said), {
    agrees: () => true,
    confirms: () => confirmed,
  });
  const sources = new Map(
    linked.flatMap(({ extract }) =>
      Object.entries(extract).map(([name, from]) => [template(name), from])
    ),
  );
  return Object.fromEntries(
    [...linked.at(-1)!.templates].map(([at, each]) => [at, sources.get(each)]),
  );
}

/** Two places of one response that hold the value; the first is to be chosen. */
const SCORES: readonly [
  rule: string,
  better: string,
  gives: unknown,
  sent: Partial<Said> & { readonly at: string },
][] = [
  [
    "a name that is the same outweighs one that only identifies",
    "$.coupon",
    { voucher_id: "brass-engine", coupon: "brass-engine" },
    { at: "query/0", url: "/pay?coupon=brass-engine" },
  ],
  [
    "a name that ends alike is alike",
    "$.last_coupon",
    { voucher_id: "brass-engine", last_coupon: "brass-engine" },
    { at: "query/0", url: "/pay?coupon=brass-engine" },
  ],
  [
    "of names that differ, one that identifies is better",
    "$.voucher_id",
    { note: "brass-engine", voucher_id: "brass-engine" },
    { at: "query/0", url: "/pay?gift=brass-engine" },
  ],
  [
    "`order` is what an order's id is",
    "$.order.id",
    { number: 7, order: { id: 7 } },
    { at: "body/order", url: "/pay", body: { order: 7 } },
  ],
];

for (const [rule, better, gives, { at, ...sent }] of SCORES) {
  Deno.test(`correlate: ${rule}`, () => {
    const said = [{ url: "/cart", gives }, { url: "/pay", ...sent }];
    deepStrictEqual(taken(said), { [at]: better });
  });
}

/** What is just telling enough to be no accident, and what is not. */
const BOUNDS: readonly [
  rule: string,
  enough: readonly Said[],
  short: readonly Said[],
][] = [
  [
    "text of eight characters says which one is meant, seven do not",
    [{ url: "/a", gives: { b: "12345678" } }, { url: "/c?d=12345678" }],
    [{ url: "/a", gives: { b: "1234567" } }, { url: "/c?d=1234567" }],
  ],
  [
    "a short number needs names on both sides",
    [{ url: "/a", gives: { page_ref: 7 } }, { url: "/c?ref=7" }],
    [{ url: "/a", gives: { page_ref: 7 } }, { url: "/c?d=7" }],
  ],
  [
    "a number from 10,000 on needs one",
    [{ url: "/a", gives: { b_id: 10_000 } }, {
      url: "/c",
      body: { d: 10_000 },
    }],
    [{ url: "/a", gives: { b_id: 9_999 } }, { url: "/c", body: { d: 9_999 } }],
  ],
  [
    "a bearer token has more than three characters",
    [
      { url: "/a", gives: { b: "wxyz" } },
      { url: "/c", headers: [["Authorization", "Bearer wxyz"]] },
    ],
    [
      { url: "/a", gives: { b: "xyz" } },
      { url: "/c", headers: [["Authorization", "Bearer xyz"]] },
    ],
  ],
  [
    "a part of a path has a digit, and what it is from identifies",
    [{ url: "/a", gives: { b_id: 7 } }, { url: "/c/7" }],
    [{ url: "/a", gives: { count: 7 } }, { url: "/c/7" }],
  ],
  [
    "in a text a value stands for itself, between any marks",
    [
      { url: "/a", gives: { b: 11_223 } },
      { url: "/c", text: "<d e='f:11223;'/>" },
    ],
    [
      { url: "/a", gives: { b: 11_223, c: "A new order" } },
      { url: "/c", text: "<d>A-11223 A new order</d>" },
    ],
  ],
  [
    "what a text says first is the client's own",
    [{ url: "/a", gives: { b: "12345678" } }, {
      url: "/c",
      text: "a 12345678",
    }],
    [
      { url: "/a", text: "a 12345678", gives: { b: "12345678" } },
      { url: "/c?d=12345678" },
    ],
  ],
  [
    "what the client sent first is its own",
    [{ url: "/a", gives: { b: "12345678" } }, { url: "/c?d=12345678" }],
    [
      { url: "/a?d=12345678", gives: { b: "12345678" } },
      { url: "/c?d=12345678" },
    ],
  ],
  [
    "a long number that the client sent first is its own, in another place too",
    [
      { url: "/a", body: { n: 12_346 }, gives: { b: 12_345 } },
      { url: "/c", body: { d: 12_345 } },
    ],
    [
      { url: "/a", body: { n: 12_345 }, gives: { b: 12_345 } },
      { url: "/c", body: { d: 12_345 } },
    ],
  ],
  [
    "an integer beyond 2^53 is compared with all of its digits",
    [
      { url: "/a", gives: { b: 9_007_199_254_740_993n } },
      { url: "/c/9007199254740993" },
    ],
    [
      { url: "/a", gives: { b: 9_007_199_254_740_992n } },
      { url: "/c/9007199254740993" },
    ],
  ],
  [
    "such an integer is sent as the type it came with",
    [
      { url: "/a", gives: { b: 9_007_199_254_740_993n } },
      { url: "/c", body: { d: 9_007_199_254_740_993n } },
    ],
    [
      { url: "/a", gives: { b: "9007199254740993" } },
      { url: "/c", body: { d: 9_007_199_254_740_993n } },
    ],
  ],
  [
    "a value of a body is sent as the type it came with",
    [
      { url: "/a", gives: { b_id: 12_345_678 } },
      { url: "/c", body: { d: 12_345_678 } },
    ],
    [
      { url: "/a", gives: { b_id: "12345678" } },
      { url: "/c", body: { d: 12_345_678 } },
    ],
  ],
];

for (const [rule, enough, short] of BOUNDS) {
  Deno.test(`correlate: ${rule}`, () => {
    const count = (said: readonly Said[]) => Object.keys(taken(said)).length;
    deepStrictEqual([count(enough), count(short)], [1, 0]);
  });
}

Deno.test("correlate: a value in a text has the variable that it has already", () => {
  const linked = correlate(
    recorded([
      { url: "/a", fields: [["X-Order", "ord-112233"]] },
      { url: "/b", headers: [["X-Order", "ord-112233"]] },
      { url: "/c", gives: { id: "ord-112233" } },
      { url: "/d", text: "<id>ord-112233</id>" },
    ]),
    { agrees: () => true, confirms: () => false },
  );
  deepStrictEqual(linked.map(({ extract }) => extract), [
    { x_order: "header.X-Order" },
    {},
    {},
    {},
  ]);
});

Deno.test("correlate: what two recordings confirm comes after what names say", () => {
  const said = [
    { url: "/a", gives: { pages: 7, page_ref: 7 } },
    { url: "/c?ref=7&size=7" },
  ];
  deepStrictEqual(taken(said), { "query/0": "$.page_ref" });
  deepStrictEqual(taken(said, true), {
    "query/0": "$.page_ref",
    "query/1": "$.pages",
  });
});

Deno.test("correlate: `cart` is what `cartId` gave, in JSON and in a form", () => {
  const login = { url: "/login", gives: { user: { cartId: "c-991" } } };
  deepStrictEqual(
    taken([login, { url: "/pay", body: { cart: "c-991", name: "c-991" } }]),
    { "body/cart": "$.user.cartId" },
  );
  const type = "application/x-www-form-urlencoded";
  deepStrictEqual(
    taken([login, { url: "/pay", text: "cart=c-991&name=c-991", type }]),
    { "form/0": "$.user.cartId" },
  );
});
