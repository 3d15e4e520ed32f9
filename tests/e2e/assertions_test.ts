import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce } from "../support/run_fixture.ts";

interface Table {
  readonly holds: readonly string[];
  readonly fails: readonly (readonly [assertion: string, why: RegExp])[];
}

/** Runs each assertion in a step of its own and compares which of them fail, and why. */
async function judge(
  response: string,
  { holds, fails }: Table,
  { before = "", data = "", files = {}, env = {} }: {
    readonly before?: string;
    readonly data?: string;
    readonly files?: Readonly<Record<string, string>>;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<void> {
  await using server = recordingServer(() => response);
  const all = [...holds, ...fails.map(([text]) => text)];
  const steps = all.map((each, index) =>
    `  - { id: s${index}, call: GET /, on_failure: record, assert: [${
      JSON.stringify(each)
    }] }\n`
  );
  const run = await runOnce(
    {
      flow: `flow: a\n${data}\nsteps:\n${before}${steps.join("")}`,
      url: server.url,
      files,
    },
    [],
    { env },
  );
  ok(run.dir !== "", run.stderr);
  const messages = new Map(
    run.traces.flatMap(({ spans }) => spans).filter(({ name }) =>
      /^s\d+$/.test(name)
    ).map((span) => [span.name, span.failure?.message]),
  );
  holds.forEach((each, index) =>
    equal(messages.get(`s${index}`), undefined, each)
  );
  fails.forEach(([each, why], index) =>
    match(messages.get(`s${holds.length + index}`) ?? "held", why, each)
  );
}

Deno.test("assertions: `contains` on a path with several matches asks the list of them, however many", async () => {
  const holds = [
    "$.one[*] contains 7",
    "$.two[*] contains 7",
    "$.one[*].missing not_exists",
    "$..name contains ada",
    "$.lists[*] contains [1]",
    "$.one[*] == 7",
  ];
  const fails = [
    ["$.one[*] contains 8", /\$\.one\[\*\] is the list \[7\]/],
    ["$.two[*] contains 8", /is the list \[7,9\]/],
    ["$.none[*] contains 7", /does not exist/],
    ["$..name contains ad", /is the list \["ada"\]/],
  ] as const;
  const body = { one: [7], two: [7, 9], none: [], lists: [[1]], name: "ada" };
  await judge(rawResponse(200, body), { holds, fails });
});

Deno.test("assertions: what always exists may be asked for, and null is not the same as missing", async () => {
  const holds = [
    "status != null",
    "status exists",
    "latency != null",
    "latency exists",
    "$.none == null",
    "$.none not_exists",
    "$.missing == null",
  ];
  const fails = [
    ["$.none != null", /\$\.none is null$/],
    ["$.none == 5", /\$\.none is null$/],
    ["$.none != 5", /\$\.none is null$/],
    ["$.none > 5", /\$\.none is null$/],
    ["$.deep.none contains x", /\$\.deep\.none is null$/],
    ["$.list[*] == 1", /\$\.list\[\*\] is null$/],
    ["$.missing != null", /\$\.missing does not exist$/],
    ["o.none == 1", /o\.none is null$/],
  ] as const;
  const body = { none: null, deep: { none: null }, list: [null] };
  const before = "  - { id: make, call: GET /, extract: { o: $ } }\n";
  await judge(rawResponse(200, body), { holds, fails }, { before });
});

Deno.test("assertions: an extraction from null says that it is null", async () => {
  await using server = recordingServer(() => rawResponse(200, { none: null }));
  const flow =
    "flow: a\nsteps: [{ id: a, call: GET /, extract: { n: $.none } }]\n";
  const run = await runOnce({ flow, url: server.url });
  equal(run.meta.failures[0]?.message, "cannot extract `n`: $.none is null");
});

Deno.test("assertions: a header compares as a number with a number, when its text is one", async () => {
  const headers = {
    "X-Count": "12",
    "X-Price": " 1.50 ",
    "X-Big": "9007199254740993",
    "X-Word": "many",
  };
  const holds = [
    "header.X-Count > 3",
    "header.X-Count == 12",
    'header.X-Count == "12"',
    "header.X-Count != 13",
    "header.X-Price == 1.5",
    'header.X-Price == "1.50"',
    "header.X-Price < 2",
    'header.X-Big > "9007199254740992"',
    "header.X-Word != 12a",
    'header.X-Count contains "1"',
  ];
  const fails = [
    ["header.X-Count > 12", /header\.X-Count is the string 12$/],
    ["header.X-Word > 3", /header\.X-Word is the string many, not a number$/],
    ["header.X-Word == 3", /is the string many, not a number$/],
    ["header.X-Word != 3", /is the string many, not a number$/],
    ["header.X-None > 3", /header\.X-None does not exist$/],
    ["header.X-None != 3", /header\.X-None does not exist$/],
    ['header.X-Big > "9007199254740993"', /is the string 9007199254740993$/],
  ] as const;
  await judge(rawResponse(200, {}, headers), { holds, fails });
});

Deno.test("assertions: `$` of a body that is not JSON is its text", async () => {
  const holds = [
    '$ == "pong: é"',
    "$ contains pong",
    "$ matches ^p.ng",
    "$ != null",
    '$ == "{{ t }}"',
    't == "pong: é"',
    "$.a not_exists",
  ];
  const fails = [
    ["$ == ping", /^\$ == "ping" does not hold: \$ is the string pong: é$/],
    ["$ > 3", /not a number/],
    ["$.a == 1", /\$\.a does not exist \(the body is not JSON/],
  ] as const;
  const before = "  - { id: make, call: GET /, extract: { t: $ } }\n";
  await judge(rawResponse(200, "pong: é"), { holds, fails }, { before });
  const latin =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=latin1\r\n" +
    "Content-Length: 1\r\n\r\n\xe9";
  await judge(latin, { holds: ["$ == é"], fails: [] });
  // What pages of old servers say, and what they leave out.
  for (const type of ["text/html", "text/html; charset=none"]) {
    const page = latin.replace("text/plain; charset=latin1", type);
    await judge(page, { holds: ["$ == é"], fails: [] });
  }
  const unknown = rawResponse(200, "é", {
    "Content-Type": "application/x-own; charset='utf-8'",
  });
  await judge(unknown, { holds: ["$ == é"], fails: [] });
  const binary = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\xe9";
  await judge(binary, { holds: ["$ not_exists"], fails: [] });
  await judge(rawResponse(200, "null"), {
    holds: ["$ == null"],
    fails: [["$ exists", /\$ is null/]],
  });
  for (const type of [undefined, "text/plain"]) {
    await judge(rawResponse(200, "", type ? { "Content-Type": type } : {}), {
      holds: ["$ not_exists"],
      fails: [
        ["$ == x", /\$ does not exist/],
        ['$ == ""', /\$ does not exist \(the body is empty/],
      ],
    });
  }
});

Deno.test("assertions: the right side may be a template, which has the type of its variable", async () => {
  const body = {
    id: 7,
    text: "7",
    list: [1, { a: null }],
    word: "bench",
    yes: true,
  };
  const before =
    "  - { id: make, call: GET /, extract: { id: $.id, text: $.text, list: $.list, o: $ } }\n";
  const holds = [
    "$.id == {{ id }}",
    "$.id == {{o.id}}",
    '$.id == "{{ id }}"',
    "$.id != {{ text }}",
    "$.text != {{ id }}",
    "$.text == {{ text }}",
    "$.list == {{ list }}",
    "$.list contains {{ list.1 }}",
    "$.word contains {{ env.PART }}",
    "$.word == {{ user.word }}",
    "id >= {{ o.id }}",
    // What a fixture and the environment hold has no type of its own.
    "$.id == {{ user.id }}",
    "$.id >= {{ user.id }}",
    "$.text == {{ user.id }}",
    "$.id != {{ user.other }}",
    "$.yes == {{ user.yes }}",
    "$.list == {{ user.list }}",
    "status == {{ user.status }}",
    "latency < {{ user.limit }}",
    "header.X-Yes == {{ o.yes }}",
    "header.X-N == {{ id }}",
    "header.X-N == {{ user.id }}",
    "header.X-N >= {{ user.id }}",
  ];
  const fails = [
    [
      "$.id == {{ text }}",
      /^\$\.id == \{\{ text \}\} does not hold: \$\.id is the integer 7, \{\{ text \}\} is the string 7$/,
    ],
    [
      "$.id != {{ o.id }}",
      /is the integer 7, \{\{ o\.id \}\} is the integer 7$/,
    ],
    ["$.id > {{ text }}", /\{\{ text \}\} is the string 7/],
    ["$.id != {{ user.id }}", /is the integer 7/],
    [
      "$.id != {{ user.word }}",
      /is the integer 7, .* is the string \[redacted\]h/,
    ],
    ["$.yes != {{ user.word }}", /is the boolean true/],
    [
      "$.word == {{ env.PART }}",
      /^\$\.word == \{\{ env\.PART \}\} does not hold: \$\.word is the string \[redacted\]h$/,
    ],
    [
      "status == {{ user.word }}",
      /status is the integer 200, .* the string \[redacted\]h/,
    ],
    ["status == {{ user.other }}", /status is the integer 200/],
    [
      "latency > {{ user.limit }}",
      /latency is the duration \S+, \{\{ user\.limit \}\} is the string 30s$/,
    ],
    [
      "latency < {{ o.id }}",
      /\{\{ o\.id \}\} is the integer 7, not a duration such as 500ms$/,
    ],
    [
      "latency != {{ user.other }}",
      /\{\{ user\.other \}\} is the string 8, not a duration such as 500ms$/,
    ],
    ["header.X-N != {{ o.yes }}", /is the string 7, .* is the boolean true/],
    ["header.X-Yes != {{ o.yes }}", /is the string true/],
    ["$.id == {{ o.nothing }}", /\{\{ o\.nothing \}\} has no value$/],
  ] as const;
  const rows =
    '[{"id":7,"other":"8","word":"bench","yes":true,"list":[1, {"a":null}],"status":200,"limit":"30s"}]';
  await judge(rawResponse(200, body, { "X-N": "7", "X-Yes": "true" }), {
    holds,
    fails,
  }, {
    before,
    data: "data: rows.json",
    files: { "rows.json": rows },
    env: { PART: "benc" },
  });
});

Deno.test("assertions: templates on the right in `until` and `match`, and a variable without a value", async () => {
  let asked = 0;
  await using server = recordingServer(() =>
    rawResponse(200, { want: 3, n: asked++ })
  );
  const flow = `flow: a
steps:
  - { id: make, call: GET /, extract: { want: $.want } }
  - id: wait
    poll: { call: GET /, until: ["$.n == {{ want }}"], interval: 1ms, max_attempts: 9 }
  - { id: lost, call: GET /, extract: { gone: $.gone }, on_failure: record }
  - id: hopeless
    poll: { call: GET /, until: ["$.n == {{ gone }}"], interval: 1ms, timeout: 30s }
    on_failure: record
  - { id: also, call: GET /, assert: ["$.n == {{ gone }}"] }
`;
  const run = await runOnce({ flow, url: server.url });
  equal(asked, 7, "a poll without a value to wait for asks once");
  // The others only follow from the first: they are in the trace alone.
  deepStrictEqual(run.meta.failures.map(({ step }) => step), ["lost"]);
  const messages = run.traces.flatMap(({ spans }) =>
    spans.filter(({ kind, failure }) => kind === "step" && failure)
      .map(({ name, failure }) => [name, failure!.message])
  );
  deepStrictEqual(messages.sort(), [
    ["also", "$.n == {{ gone }} does not hold: {{ gone }} has no value"],
    ["hopeless", "$.n == {{ gone }} does not hold: {{ gone }} has no value"],
    ["lost", "cannot extract `gone`: $.gone does not exist"],
  ]);
});

Deno.test("assertions: a header subject is all lines of its field, and each line of Set-Cookie by itself", async () => {
  const response =
    "HTTP/1.1 200 OK\r\nVary: Accept\r\nSet-Cookie: sid=1; Path=/\r\n" +
    "vary: Origin\r\nset-cookie: lang=de\r\nContent-Length: 0\r\n\r\n";
  await judge(response, {
    holds: [
      'header.Vary == "Accept, Origin"',
      "header.Vary contains Origin",
      "header.Set-Cookie contains lang=",
      'header.Set-Cookie matches "^lang=de$"',
      "header.Set-Cookie exists",
    ],
    fails: [
      [
        'header.Vary != "Accept, Origin"',
        /header\.Vary is the string Accept, Origin/,
      ],
      ['header.Set-Cookie contains "/, lang"', /is the list \["sid=1/],
    ],
  });
});

Deno.test("assertions: a bare number or word under text/plain is its text", async () => {
  const response = (type: string) =>
    rawResponse(200, "1.10", { "Content-Type": type });
  await judge(response("text/plain"), {
    holds: ['$ == "1.10"', 'v == "1.10"', "$ contains .10"],
    fails: [["$ == 1.1", /\$ is the string 1\.10/]],
  }, { before: "  - { id: first, call: GET /, extract: { v: $ } }\n" });
  await judge(response("application/json"), {
    holds: ["$ == 1.1"],
    fails: [['$ == "1.10"', /\$ is the number 1\.1/]],
  });
});
