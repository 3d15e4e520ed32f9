import { deepEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { JourneySite } from "../unit/cli/import/journey_site.ts";
import { RecordedClient } from "../unit/cli/import/recorded_client.ts";
import { rawResponse } from "../support/raw_response.ts";
import { bench, workspace } from "../support/bench.ts";
import { headerOf, recordingServer } from "../support/recording_server.ts";

Deno.test("bench import curl --out writes a flow, a target and .env.example that run as they are", async () => {
  await using server = recordingServer(() => rawResponse(201, { id: 7 }));
  using folder = workspace({});
  const cwd = folder.path;
  const made = await bench([
    "import",
    "curl",
    "--out",
    "mine",
    "--name",
    "shop",
    `curl ${server.url}/orders -H 'Authorization: Bearer geheim-12345' -d '{"n":1}'`,
  ], { cwd });
  equal(made.code, 0, made.stderr);
  equal(
    made.stdout,
    "mine/shop.bench.yaml\nmine/targets/shop.yaml\nmine/.env.example\n",
  );
  match(
    made.stderr,
    /\nNext:\n {2}export API_TOKEN=\.\.\.\n {2}bench run mine\/shop\.bench\.yaml --target shop\n$/,
  );
  const run = await bench(
    ["run", "mine/shop.bench.yaml", "--target", "shop"],
    { cwd, env: { API_TOKEN: "geheim-12345" } },
  );
  equal(run.code, 0, run.stderr);
  const [arrival] = server.arrivals;
  equal(arrival!.line, "POST /orders");
  equal(headerOf(arrival!, "authorization"), "Bearer geheim-12345");
  ok(arrival!.text.endsWith('\r\n\r\n{"n":1}'));
  const again = await bench(
    ["import", "curl", "--out", "mine", "--name", "shop", "-"],
    { cwd, stdin: "curl https://h.example/" },
  );
  equal(again.code, 2);
  match(again.stderr, /there already: mine\/shop\.bench\.yaml, /);
  const flow = Deno.readTextFileSync(join(cwd, "mine/shop.bench.yaml"));
  ok(!flow.includes("geheim"));
});

Deno.test("bench import curl and postman --target run the flow with the credentials of what was imported", async () => {
  await using server = recordingServer(() => rawResponse(200, { id: 7 }));
  const { url } = server;
  using folder = workspace({
    "t.yaml": `name: t\nbase_urls: [${url}]\n`,
    "shop.json": JSON.stringify({
      info: {
        name: "post",
        schema:
          "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
      },
      variable: [{ key: "api_token", value: "geheim-postman" }],
      item: [{
        name: "order",
        request: {
          ...{ method: "GET", url: `${url}/orders` },
          auth: {
            type: "bearer",
            bearer: [{ key: "token", value: "{{api_token}}" }],
          },
        },
      }],
    }),
  });
  const cwd = folder.path;
  const target = ["--target", "t.yaml", "--out", "mine"];
  const command = `curl -u ada:geheim-curl ${url}/orders`;
  for (
    const source of [["curl", command, "--name", "curl"], [
      "postman",
      "shop.json",
      "--force",
    ]]
  ) {
    const made = await bench(["import", ...source, ...target], { cwd });
    equal(made.code, 0, made.stderr);
    match(made.stderr, /The replay of `\w+` passed\./);
    ok(!made.stderr.includes("geheim"), made.stderr);
  }
  deepEqual(server.arrivals.map((each) => headerOf(each, "authorization")), [
    `Basic ${btoa("ada:geheim-curl")}`,
    "Bearer geheim-postman",
  ]);
  for (const name of ["curl.bench.yaml", "post.bench.yaml", ".env.example"]) {
    ok(!Deno.readTextFileSync(join(cwd, "mine", name)).includes("geheim"));
  }
  const lost = await bench(
    ["import", "curl", `${command} -H "X-A: $UNSET"`, ...target, "--force"],
    { cwd },
  );
  equal(lost.code, 2);
  match(lost.stderr, /the environment variable UNSET is not set/);
});

Deno.test("bench import --target names the lines of the written flow, whatever its load and its pauses", async () => {
  using folder = workspace({
    "t.yaml": "name: t\nbase_urls: [http://127.0.0.1:9]\nmax_vus: 1\n",
  });
  const script = [
    "curl http://127.0.0.1:9/a",
    "sleep 30",
    'curl -H "X-Id: $MISSING" http://127.0.0.1:9/b',
  ].join("; ");
  const made = await bench(
    [
      "import",
      "curl",
      script,
      "--target",
      "t.yaml",
      "--out",
      "made",
      "--vus",
      "3",
    ],
    { cwd: folder.path },
  );
  equal(made.code, 2);
  const lines = (await Deno.readTextFile(
    `${folder.path}/made/imported.bench.yaml`,
  )).split("\n");
  const at = lines.findIndex((each) => each.includes("env.MISSING")) +
    1;
  match(
    made.stderr,
    new RegExp(
      `^made/imported\\.bench\\.yaml:${at}:\\d+: error: .*has no value`,
      "m",
    ),
  );
});

Deno.test("bench import har --target keeps what does not pass as a draft, and takes cookies", async () => {
  await using site = new JourneySite(3);
  const client = new RecordedClient(site.url);
  await client.post("/session", { user: "ada", password: "geheim-4711" });
  await client.get("/account");
  await using other = new JourneySite(8);
  using folder = workspace({
    "a.har": client.har,
    "t.yaml": `name: t\nbase_urls: [${other.url}]\n`,
  });
  const cwd = folder.path;
  const line = ["import", "har", "a.har", "--target", "t.yaml", "--out", "o"];
  const env = { PASSWORD: "wrong" };
  const wrong = await bench(line, { cwd, env });
  equal(wrong.code, 1, wrong.stderr);
  match(
    wrong.stderr,
    /^note: [^]*failed[^]*The replay of `imported` did not pass: the flow is a draft/,
  );
  match(wrong.stdout, /^o\/imported\.bench\.yaml\n/);
  const made = await bench([...line, "--force"], { cwd });
  equal(made.code, 0, made.stderr);
  match(made.stderr, /\nThe replay of `imported` passed\.\n/);
  const path = "o/imported.bench.yaml";
  const flow = Deno.readTextFileSync(join(cwd, path));
  match(flow, /^version: 1$/m);
  match(flow, /extract:\n {6}sid: cookie\.sid$/m);
  const run = await bench(["run", path, "--target", "t.yaml"], {
    cwd,
    env: { PASSWORD: "geheim-4711" },
  });
  equal(run.code, 0, run.stderr);
});

Deno.test("bench import curl names the files that are sent and not there; the flow sends them", async () => {
  await using server = recordingServer(() => rawResponse(201, { id: 7 }));
  using folder = workspace({ "here.png": "", "mine/there.png": "PNG" });
  const cwd = folder.path;
  const made = await bench([
    ...["import", "curl", "--out", "mine", "--name", "up"],
    `curl ${server.url}/a -F 'a=@here.png;type=image/x' -F 'b=@there.png'`,
  ], { cwd });
  equal(made.code, 0, made.stderr);
  match(
    made.stderr,
    /^note: the file mine\/here\.png is sent and is not there: put it there\n\nNext/,
  );
  const line = ["run", "mine/up.bench.yaml", "--target", "up"];
  const early = await bench(line, { cwd });
  equal(early.code, 2);
  match(early.stderr, /there is no file `here\.png`/);
  Deno.renameSync(join(cwd, "here.png"), join(cwd, "mine/here.png"));
  const run = await bench(line, { cwd });
  equal(run.code, 0, run.stderr);
  const { text } = server.arrivals[0]!;
  match(text, /name="a"; filename="here\.png"\r\nContent-Type: image\/x\r\n/);
  match(text, /name="b"; filename="there\.png"[^]*\r\n\r\nPNG\r\n/);
});

Deno.test("bench import --force does not write through a symbolic link", async () => {
  for (const link of ["mine/shop.bench.yaml", "mine/targets"]) {
    using folder = workspace({ "kept/own": "own", "mine/a": "" });
    const cwd = folder.path;
    const to = link.endsWith("yaml") ? "kept/own" : "kept";
    Deno.symlinkSync(join(cwd, to), join(cwd, link));
    const made = await bench(
      [
        ...["import", "curl", "--force", "--out", "mine", "--name", "shop"],
        "curl https://h.example/",
      ],
      { cwd },
    );
    equal(made.code, 2, made.stderr);
    ok(
      made.stderr.includes(
        `${link} is a symbolic link, and nothing is written through it`,
      ),
      made.stderr,
    );
    deepEqual(namesIn(join(cwd, "kept")), ["own"]);
    equal(Deno.readTextFileSync(join(cwd, "kept/own")), "own");
  }
});

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("bench import curl says on stderr what it does not send, and sends braces and long numbers as they are", async () => {
  await using server = recordingServer(() => rawResponse(200, {}));
  using folder = workspace({});
  const cwd = folder.path;
  const lost = await bench(
    ["import", "curl", `curl ${server.url}/f -F 'a=1' -F 'b=@-'`],
    { cwd },
  );
  equal(lost.code, 0, lost.stderr);
  match(
    lost.stderr,
    /^note: step `post-f`: Left out a multipart form \(a, b\): write it as `multipart`\.\n/,
  );
  const made = await bench(
    [
      ...["import", "curl", "--out", "."],
      `curl -g '${server.url}/x?q={{ env.OWN_KEY }}' -H 'X-A: {{ env.OWN_KEY }}' -d '{"n":9007199254740993,"t":"a{{b}}c {{ env.OWN_KEY }}"}'`,
    ],
    { cwd },
  );
  equal(made.code, 0, made.stderr);
  const run = await bench([
    "run",
    "imported.bench.yaml",
    "--target",
    "imported",
  ], {
    cwd,
    env: { OWN_KEY: "geheim-4711" },
  });
  equal(run.code, 0, run.stderr);
  const [arrival] = server.arrivals;
  equal(arrival!.line, "POST /x?q=%7B%7B%20env.OWN_KEY%20%7D%7D");
  equal(headerOf(arrival!, "x-a"), "{{ env.OWN_KEY }}");
  ok(
    arrival!.text.endsWith(
      '{"n":9007199254740993,"t":"a{{b}}c {{ env.OWN_KEY }}"}',
    ),
    arrival!.text,
  );
});

Deno.test("an error gives the terminal no orders that a description asks for", async () => {
  const operation = { tags: ["a\x1b[31m\n::error::b"], responses: {} };
  using folder = workspace({
    "a.json": JSON.stringify({
      openapi: "3.0.0",
      paths: { "/a": { get: operation } },
    }),
  });
  const made = await bench(["import", "openapi", "a.json", "--tag", "b"], {
    cwd: folder.path,
  });
  equal(made.code, 2);
  equal(
    made.stderr,
    'bench: error: there is no tag "b"\n  = tags are: a\\u{1b}[31m\n    ::error::b\n',
  );
});

Deno.test("bench import says which of its variables are set already, and where they would go", async () => {
  const made = await bench(
    ["import", "curl", "curl 'https://h.example/?secret_key=geheim-1'"],
    { env: { SECRET_KEY: "own" } },
  );
  equal(made.code, 0, made.stderr);
  match(
    made.stderr,
    /^note: SECRET_KEY is set in your environment: a run of the flow sends its value to https:\/\/h\.example\n/,
  );
});

Deno.test("bench import postman makes a flow that runs, with the values of an environment", async () => {
  await using server = recordingServer(() => rawResponse(200, {}));
  const collection = {
    info: { name: "Shop" },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
    item: [{
      name: "create",
      request: {
        method: "POST",
        url: "{{host}}/orders",
        body: {
          mode: "urlencoded",
          urlencoded: [{ key: "id", value: "{{$guid}}" }],
        },
      },
    }],
  };
  const values = [
    { key: "host", value: server.url },
    { key: "token", value: "geheim-4711", type: "secret" },
  ];
  using folder = workspace({
    "c.json": JSON.stringify(collection),
    "e.json": JSON.stringify({ values }),
  });
  const cwd = folder.path;
  const made = await bench(
    ["import", "postman", "c.json", "--environment", "e.json", "--out", "o"],
    { cwd },
  );
  equal(made.code, 0, made.stderr);
  const run = await bench(
    ["run", "o/shop.bench.yaml", "--target", "o/targets/shop.yaml"],
    { cwd, env: { TOKEN: "another" } },
  );
  equal(run.code, 0, run.stderr);
  const [arrival] = server.arrivals;
  equal(arrival!.line, "POST /orders");
  equal(headerOf(arrival!, "authorization"), "Bearer another");
  match(arrival!.text, /id=[0-9a-f-]{36}$/);
});

Deno.test("bench import --mix: recordings, and folders of a collection, become flows and a mix that runs", async () => {
  await using server = recordingServer(() => rawResponse(200));
  const entry = (path: string) => ({
    startedDateTime: "2026-01-01T00:00:00Z",
    time: 1,
    request: {
      ...{
        method: "GET",
        url: `${server.url}${path}`,
        httpVersion: "HTTP/1.1",
      },
      ...{ headers: [], queryString: [], cookies: [], headersSize: -1 },
      bodySize: 0,
    },
    response: {
      ...{ status: 200, statusText: "OK", httpVersion: "HTTP/1.1" },
      ...{ headers: [], cookies: [], redirectURL: "", headersSize: -1 },
      content: { size: 2, mimeType: "application/json", text: "{}" },
      bodySize: 2,
    },
    ...{ cache: {}, timings: { send: 0, wait: 1, receive: 0 } },
  });
  const har = (path: string) =>
    JSON.stringify({ log: { version: "1.2", entries: [entry(path)] } });
  const folder = (name: string, path: string) => ({
    name,
    item: [{ name, request: { method: "GET", url: `${server.url}${path}` } }],
  });
  const collection = {
    info: { name: "shop" },
    item: [folder("Look around", "/look"), folder("2 Buy", "/buy")],
  };
  using files = workspace({
    "browse.har": har("/browse"),
    "pay.har": har("/pay"),
    "shop.json": JSON.stringify(collection),
    "flat.json": JSON.stringify({
      ...collection,
      item: collection.item[0]!.item,
    }),
  });
  const at = { cwd: files.path };
  const sources = [
    [["har", "browse.har", "pay.har"], ["/browse", "/pay"]],
    [["postman", "shop.json"], ["/buy", "/look"]],
  ] as const;
  for (const [[from, ...source], paths] of sources) {
    const line = [
      "--mix",
      "evening",
      "--out",
      from,
      "--vus",
      "2",
      "--hold",
      "100ms",
    ];
    const made = await bench(["import", from, ...source, ...line], at);
    equal(made.code, 0, made.stderr);
    const before = server.arrivals.length;
    const run = await bench(
      [
        ...["run", `${from}/evening.yaml`, "--store", "runs"],
        ...["--target", `${from}/targets/evening.yaml`],
      ],
      at,
    );
    equal(run.code, 0, run.stdout + run.stderr);
    const sent = server.arrivals.slice(before).map(({ line }) => line);
    deepEqual(
      [...new Set(sent)].sort(),
      paths.map((path) => `GET ${path}`),
    );
  }
  const printed = await bench(
    ["import", "postman", "shop.json", "--mix", "m"],
    at,
  );
  match(
    printed.stderr,
    /there are 2 flows\n {2}= write them and their mix with --out <dir>\n/,
  );
  const flat = await bench(
    ["import", "postman", "flat.json", "--mix", "m"],
    at,
  );
  match(flat.stderr, /flat\.json has no folders at its top/);
});

Deno.test("bench import refuses an option that its source has no use for", async () => {
  const refused = [
    ["curl", "curl http://a.example/", "--tag=a"],
    ["curl", "curl http://a.example/", "--mix=a"],
    ["openapi", "a.yaml", "--environment=a"],
    ["har", "a.har", "--tag=a"],
    ["postman", "a.json", "--mix=a", "--tag=b"],
    ["har", "a.har", "--mix=a", "--name=b"],
    ["har", "a.har", "--mix=a", "--hold=5 minutes"],
    ["curl", "curl http://a.example/", "--hold=0s"],
    ["har", "--mix=a"],
    ["openapi"],
  ];
  const said = await Promise.all(
    refused.map(async (args) => (await bench(["import", ...args])).stderr),
  );
  deepEqual(said, [
    "bench: error: --tag is for openapi and postman, not for curl\n",
    "bench: error: --mix is for har and postman, not for curl\n",
    "bench: error: --environment is for postman, not for openapi\n",
    "bench: error: --tag is for openapi and postman, not for har\n",
    "bench: error: --tag does not go with --mix, which makes a flow of each folder at the top\n",
    "bench: error: --name does not go with --mix, which makes a flow of each recording\n",
    'bench: error: --hold: "5 minutes" is not a duration: expected a number and a unit (us, ms, s, m, h), such as 500ms or 1.5s\n  = did you mean 5m?\n',
    "bench: error: --hold must be longer than 0s\n",
    "bench: error: expected HAR files, got none\n",
    "bench: error: expected an OpenAPI file, got none\n",
  ]);
});

Deno.test("bench import names the way for the test of a tool that it does not read", async () => {
  using folder = workspace({});
  const { code, stderr } = await bench(["import", "k6", "a.js"], {
    cwd: folder.path,
  });
  equal(code, 2);
  match(stderr, /record what the test sends as a HAR file/);
  const others: [from: string, says: RegExp][] = [
    ["swagger", /= did you mean openapi\?\n$/],
    ["insomnia", /= export the requests there as OpenAPI, HAR or a Postman/],
  ];
  for (const [from, says] of others) {
    const run = await bench(["import", from, "a.json"], { cwd: folder.path });
    equal(run.code, 2);
    match(run.stderr, says);
  }
});

Deno.test("bench import openapi with several tags says next how all flows are run", async () => {
  const paths = Object.fromEntries(["cart", "user"].map((tag) => [`/${tag}`, {
    get: { tags: [tag], responses: { 200: { description: "fine" } } },
  }]));
  const info = { title: "shop", version: "1" };
  const servers = [{ url: "http://127.0.0.1:9" }];
  using folder = workspace({
    "api.json": JSON.stringify({ openapi: "3.0.3", info, servers, paths }),
  });
  const { code, stderr } = await bench(
    ["import", "openapi", "api.json", "--out", "mine"],
    { cwd: folder.path },
  );
  equal(code, 0, stderr);
  match(
    stderr,
    / {2}bench run mine\/\S*cart\.bench\.yaml mine\/\S*user\.bench\.yaml --target \S+\n$/,
  );
});

Deno.test("bench import openapi names the place where a file is neither YAML nor JSON", async () => {
  using folder = workspace({
    "api.yaml": "openapi: 3.0.0\npaths:\n  /a:\n    get: {\n",
    "api.json": '{\n  "openapi": "3.0.0"\n  "paths": {}\n}\n',
  });
  const cwd = folder.path;
  const yaml = await bench(["import", "openapi", "api.yaml"], { cwd });
  equal(yaml.code, 2);
  match(yaml.stderr, /^api\.yaml:4:10: error: this `\{` is not closed$/m);
  const json = await bench(["import", "openapi", "api.json"], { cwd });
  equal(json.code, 2);
  match(json.stderr, /^api\.json:3:3: error: not JSON: expected `,` /m);
  const fetched = await bench(
    ["import", "openapi", "https://shop.example/api.json"],
    { cwd },
  );
  equal(fetched.code, 2);
  match(fetched.stderr, /is a URL, and a description is a file\n.*curl -o /);
});

Deno.test("bench import reads UTF-16, which PowerShell writes", async () => {
  const item = [{ name: "home", request: "http://127.0.0.1:9/home" }];
  const text = "\ufeff" + JSON.stringify({ info: { name: "shop" }, item });
  using folder = workspace({});
  const cwd = folder.path;
  const bytes = new Uint8Array(
    Uint16Array.from(text, (each) => each.charCodeAt(0)).buffer,
  );
  Deno.writeFileSync(join(cwd, "shop.json"), bytes);
  const { code, stdout, stderr } = await bench(
    ["import", "postman", "shop.json"],
    { cwd },
  );
  equal(code, 0, stderr);
  match(stdout, /^ {4}call: GET \/home$/m);
});

Deno.test("bench import says how to make a flow small enough to be read", async () => {
  using folder = workspace({
    "a.har": JSON.stringify({
      log: {
        entries: Array.from({ length: 900 }, (_, n) => ({
          request: {
            method: "POST",
            url: "http://127.0.0.1:9/notes",
            headers: [],
            postData: {
              mimeType: "application/json",
              text: JSON.stringify({ n, text: `note ${n} `.repeat(160) }),
            },
          },
          response: { status: 201, headers: [], content: {} },
        })),
      },
    }),
  });
  const { code, stdout, stderr } = await bench(["import", "har", "a.har"], {
    cwd: folder.path,
  });
  equal(code, 2, stderr);
  equal(stdout, "");
  match(
    stderr,
    /the flow `\S+\.bench\.yaml` would have \d{7} bytes, and at most 1048576 \(1 MiB\) are read of one\n {2}= import less at once: /,
  );
});
