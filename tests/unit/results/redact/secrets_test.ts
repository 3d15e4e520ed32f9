import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { MARK } from "../../../../lib/results/redact/secrets.ts";
import { secretsOf, withheld } from "./secrets_of.ts";

Deno.test("Secrets.scrub hides a secret inside a longer base64 text at any alignment", () => {
  for (const value of ["s3cret", "hunter2!", "a-longer-token-0123456789"]) {
    const secrets = secretsOf(value);
    for (const before of ["", "u", "us", "use", "user:"]) {
      const out = secrets.scrub(btoa(`${before}${value}:tail`));
      if (out.startsWith("[redacted:")) continue;
      assert.ok(out.includes(MARK), `${value} after ${before || "nothing"}`);
      const left = out.split(MARK).map((each) => each.length);
      assert.ok(left[0]! <= Math.ceil(before.length * 8 / 6), out);
    }
  }
});

Deno.test("Secrets.scrub hides a secret whose own characters decoding takes for escapes", () => {
  const value = 'Gr0ße "Pläne" & <Wörter>/+=%?\\';
  const percent = (text: string) =>
    encodeURI(text).replaceAll("%5C", "%5c").replaceAll("?", "%3f");
  const gson = (text: string) =>
    JSON.stringify(text).slice(1, -1).replaceAll(
      /[&=]/g,
      (each) => `\\u00${each.charCodeAt(0).toString(16)}`,
    );
  const secrets = secretsOf(value);
  for (const after of ["", '"', " ", "n", "0"]) {
    for (
      const inside of [percent(value + after), percent(gson(value + after))]
    ) {
      for (const text of [inside, gson(inside), gson(gson(inside))]) {
        const out = secrets.scrub(`.....é${text} "`);
        assert.ok(!/Gr0|rter/.test(out), `${text} became ${out}`);
      }
    }
  }
});

Deno.test("Secrets.scrub is idempotent", () => {
  const piece = fc.oneof(
    fc.constantFrom("[", "]", "red", "redacted", MARK, "a[", "]b", "ab"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(fc.property(
    fc.array(piece, { maxLength: 4 }),
    fc.array(piece, { maxLength: 8 }),
    (values, text) => {
      const secrets = secretsOf(...values);
      const once = secrets.scrub(text.join(""));
      assert.equal(secrets.scrub(once), once);
    },
  ));
});

const OVERLAPS = [
  [
    "the longer of two at one position",
    ["abcd", "abcdef"],
    "xabcdefx",
    `x${MARK}x`,
  ],
  ["the shorter alone", ["abcd", "abcdef"], "xabcdex", `x${MARK}ex`],
  ["one inside another", ["secret", "my-secret-key"], "my-secret-key", MARK],
  [
    "overlapping ones as one stretch",
    ["abcd", "cdef"],
    "_abcdef_",
    `_${MARK}_`,
  ],
  ["neighbours one by one", ["abcd", "efgh"], "abcdefgh", MARK + MARK],
  [
    "a secret that is part of the mark",
    ["redacted"],
    `redacted ${MARK}`,
    `${MARK} ${MARK}`,
  ],
  [
    "a secret that holds the mark",
    [`x${MARK}y`, "keys"],
    `x${MARK}y xkeysy`,
    `${MARK} ${MARK}`,
  ],
  ["one character where it is all there is", ["k"], "k", MARK],
  ["no short value inside of text", ["k", "1"], "ok 12", "ok 12"],
  ["nothing when the only secret is empty", [""], "a b", "a b"],
] as const;

for (const [rule, values, text, expected] of OVERLAPS) {
  Deno.test(`Secrets.scrub hides ${rule}`, () => {
    assert.equal(secretsOf(...values).scrub(text), expected);
  });
}

Deno.test("Secrets.scrub hides the beginning of a secret where the text was cut", () => {
  const secrets = secretsOf("a-long-token");
  const cut = (text: string) => secrets.scrub(text, true);
  assert.equal(cut("Bearer a-long-t"), `Bearer ${MARK}`);
  assert.equal(cut("Bearer a-l"), "Bearer a-l");
  assert.equal(cut("a-long-token"), MARK);
});

Deno.test("Secrets.scrub hides the lines of a secret, whatever is between them", () => {
  const lines = [
    "MIIEvQIBADANBgkqhkiG9w0B",
    "AQEFAASCBKcwggSjAgEAAoIB",
    "short",
  ];
  const secrets = secretsOf(`${lines.join("\n")}\n`);
  assert.equal(secrets.scrub(`is ${lines.join("\n")}\n.`), `is ${MARK}.`);
  for (const between of ["\r\n", " ", "", "<br>", "\n  ", "%0D%0A", "\\r\\n"]) {
    assert.doesNotMatch(secrets.scrub(lines.join(between)), /MIIE|AQEF/);
  }
  assert.equal(secrets.scrub("a short text"), "a short text");
});

Deno.test("Secrets.scrub hides the beginning of a secret before an ellipsis", () => {
  const secrets = secretsOf("a-long-token");
  assert.equal(
    secrets.scrub("`a-long-t…`, not a number"),
    `\`${MARK}…\`, not a number`,
  );
  assert.equal(secrets.scrub("a list of a-l…"), "a list of a-l…");
});

Deno.test("Secrets.scrub withholds compressed text that is cut amid a secret", () => {
  const secret = "a1b2c3d4e5f60718293a4b5c6d7e8f90".repeat(2);
  const secrets = secretsOf(`tok_${secret}`);
  const whole = gzipSync(`tok_${secret}`).toString("base64");
  for (const cut of [whole.slice(0, -20), whole.slice(0, -24)]) {
    const scrubbed = secrets.scrub(`is the string ${cut}…`);
    assert.match(scrubbed, /^\[redacted: \d+ characters/);
  }
});

const REWRITTEN = [
  ["trimmed", "  spaced out\t", "spaced out"],
  ["with other line ends", "one line\r\ntwo", "one line\ntwo"],
  ["without its padding", "c2VjcmV0IGtleQ==", "c2VjcmV0IGtleQ"],
  ["in the other alphabet of base64", "_-7dzLuqmYh3Zg", "/+7dzLuqmYh3Zg=="],
  ["decoded and encoded anew", "_-7dzLuqmYh3Zg", "ffeeddccbbaa99887766"],
  ["in the other letter case of hex", "deadbeef01234567", "DEADBEEF01234567"],
  ["as a host name", "Tenant-A.Example", "tenant-a.example"],
  ["in punycode", "Bücher.Example", "xn--bcher-kva.example"],
] as const;

for (const [how, value, text] of REWRITTEN) {
  Deno.test(`Secrets.scrub hides a secret ${how}`, () => {
    assert.equal(secretsOf(value).scrub(`<${text}>`), `<${MARK}>`);
  });
}

Deno.test("Secrets.scrub leaves the beginning of a secret that is base64 by chance alone", () => {
  for (const value of ["client1", "client4", "password10"]) {
    const text = `invalid_${value.slice(0, -1)}: no ${value}`;
    assert.equal(
      secretsOf(value).scrub(text),
      text.replace(value, MARK),
    );
  }
});

const DECODED = [
  ["as hex with colons", "deadbeef01", "de:ad:be:ef:01"],
  ["in a part of a label in punycode", "Bücher", "xn--shop-bcher-feb"],
  ["in an escape of CSS", "hunter2!", "\\68unter2!"],
  ["in gzip in base64", "hunter2!", gzipSync("hunter2!").toString("base64")],
  ["as Buffer writes it", "hunter2!", JSON.stringify(Buffer.from("hunter2!"))],
  ["in base32 of something longer", "hunter2!", "HR2XGZLSHJUHK3TUMVZDEII="],
] as const;

for (const [how, value, text] of DECODED) {
  Deno.test(`Secrets.scrub withholds a text with a secret ${how}`, () => {
    const out = secretsOf(value).scrub(`<${text}>`);
    assert.ok(out === withheld(`<${text}>`) || out.includes(MARK), out);
    assert.ok(!out.includes(text), out);
  });
}

Deno.test("Secrets.scrub withholds the string of JSON text that hides a secret, and no other", () => {
  const hidden = "%68unter2!";
  const text = `{"a": "${hidden}", "n": 1.10, "b": "x hunter2!", "c": [1]}`;
  assert.equal(
    secretsOf("hunter2!").scrub(text),
    `{"a": ${
      JSON.stringify(withheld(hidden))
    }, "n": 1.10, "b": "x ${MARK}", "c": [1]}`,
  );
});

Deno.test("Secrets.scrub withholds a list of bytes in JSON text, and nothing beside it", () => {
  const list = JSON.stringify([...Buffer.from("hunter2!")]);
  assert.equal(
    secretsOf("hunter2!").scrub(`{"data":${list},"n":[1,2,3,4,5]}`),
    `{"data":${JSON.stringify(withheld(list))},"n":[1,2,3,4,5]}`,
  );
});

for (
  const [what, text, expected] of [
    ["a string of JSON text", '{"a":"1","b":"12"}', `{"a":"${MARK}","b":"12"}`],
    [
      "a number of JSON text",
      '{"a":1,"b":12,"c":1.1}',
      `{"a":"${MARK}","b":12,"c":1.1}`,
    ],
    ["a segment of a path", "/a/1/12?b=1&c=11", `/a/${MARK}/12?b=${MARK}&c=11`],
    ["a value of a form", "a=1&b=12", `a=${MARK}&b=12`],
    ["a value", "1", MARK],
    ["no part of a text", "row 1 of 11", "row 1 of 11"],
    ["no part of a text in brackets", "[row 1] of 1", "[row 1] of 1"],
  ] as const
) {
  Deno.test(`Secrets.scrub replaces a short secret where it is ${what}`, () => {
    assert.equal(secretsOf("1").scrub(text), expected);
  });
}

for (
  const [text, expected] of [
    ["acme has 1 job", `${MARK} has 1 job`],
    ["[acme] has 1 job", `[${MARK}] has 1 job`],
    ["/1/acme/key/1/abc", `/${MARK}/${MARK}/${MARK}`],
    ["n=1&for=a passphrase", `n=${MARK}&for=${MARK}`],
    ['["acme 1",1]', `["${MARK} 1","${MARK}"]`],
  ] as const
) {
  Deno.test(`Secrets.scrub of ${text}, where a short secret is beside others, is stable`, () => {
    const secrets = secretsOf("1", "acme", "key/1/abc", "a passphrase");
    assert.equal(secrets.scrub(text), expected);
    assert.equal(secrets.scrub(expected), expected);
  });
}

Deno.test("Secrets.scrub leaves what the author wrote as it is, where a message quotes it", () => {
  const secrets = secretsOf("acme");
  secrets.keep(["$.tenant == acme", "`acme-login`", "acme"]);
  assert.equal(
    secrets.scrub("$.tenant == acme does not hold: it is acme-1"),
    `$.tenant == acme does not hold: it is ${MARK}-1`,
  );
  assert.equal(
    secrets.scrub("`acme-login` of acme"),
    `\`acme-login\` of ${MARK}`,
  );
});

Deno.test("Secrets.scrub looks into a mark that somebody else wrote", () => {
  const key = "9f86d081884c7d659a2feaa0c55ad015";
  const out = secretsOf(key).scrub(
    `[redacted: 5 characters, SHA-256 ${key}${key}]`,
  );
  assert.ok(!out.includes(key), out);
});

Deno.test("Secrets.scrub withholds a text that takes too long to decode", () => {
  const text = "%25%26%5c=41".repeat(20_000);
  const out = secretsOf("hunter2!").scrub(text);
  assert.ok(out === text || out === withheld(text));
});

Deno.test("Secrets.register makes the next scrub see the value", () => {
  const secrets = secretsOf("first");
  assert.equal(secrets.scrub("first second"), `${MARK} second`);
  secrets.register("second");
  assert.equal(secrets.scrub("first second"), `${MARK} ${MARK}`);
  assert.equal(secrets.size, 2);
});

Deno.test("Secrets.short names values under four characters", () => {
  assert.deepEqual(secretsOf("abc", "abcd", "").short, ["abc"]);
});

Deno.test("Secrets.scrub hides a number that is written with an exponent", () => {
  const secrets = secretsOf("987654321", "1234500");
  const hidden = [
    "9.87654321e+8",
    "9.87654321E8",
    "9.87654321e+08",
    "1.2345E+06",
  ];
  for (const each of hidden) {
    assert.equal(secrets.scrub(`{"e":${each}}`), `{"e":"${MARK}"}`);
  }
  assert.equal(secrets.scrub('{"e":9.9e+8}'), '{"e":9.9e+8}');
});

Deno.test("Secrets.scrub leaves JSON text JSON where a secret is a number or a literal", () => {
  const secrets = secretsOf("true", "98765", "7", "null");
  const scrubbed = secrets.scrub(
    '{"a":true,"b":[98765, 7,null,false],"c":"is true","d":"true"}',
  );
  assert.deepEqual(JSON.parse(scrubbed), {
    a: MARK,
    b: [MARK, MARK, MARK, false],
    c: `is ${MARK}`,
    d: MARK,
  });
  assert.equal(secrets.scrub("{ a: trueish }"), `{ a: ${MARK}ish }`);
});

Deno.test("Secrets.scrub withholds a long secret that was broken into lines, however deep", () => {
  const secret = "correct horse-battery-staple";
  const secrets = secretsOf(secret, "7f3a");
  for (
    const lines of [
      "correct horse-bat\ntery-staple",
      "a correct\r\n horse-battery-staple",
    ]
  ) {
    assert.equal(secrets.scrub(lines), withheld(lines));
    const inJson = secrets.scrub(JSON.stringify({ lines, id: 1 }));
    assert.equal(inJson, JSON.stringify({ lines: withheld(lines), id: 1 }));
    const encoded = encodeURIComponent(lines);
    assert.equal(secrets.scrub(encoded), withheld(encoded));
  }
  const short = "7f\n3a correct\n\nhorse and battery";
  assert.equal(secrets.scrub(short), short);
});
