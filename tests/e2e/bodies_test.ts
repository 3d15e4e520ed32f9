import { deepStrictEqual, equal, match } from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Readable } from "node:stream";
import { Buffer } from "node:buffer";
import busboy from "busboy";
import { bench, workspace } from "../support/bench.ts";
import { asker } from "../support/viewer_fixture.ts";
import { type Arrival, recordingServer } from "../support/recording_server.ts";

/** A byte that no text has, and what begins a boundary. */
const BYTES = Uint8Array.of(0x89, 0, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x62);

/** Runs the steps as a functional check, and gives the requests that arrived. */
async function sent(
  steps: string,
  { flow = "", args = [] as string[], env = {} as Record<string, string> } = {},
): Promise<{ arrivals: readonly Arrival[]; traces: string; stdout: string }> {
  await using server = recordingServer();
  using folder = workspace({
    "flow.yaml": `version: 1\nflow: f\n${flow}steps:\n${steps}`,
    "target.yaml": `name: t\nbase_urls: ["${server.url}"]\n`,
    "note.txt": "hello\n",
  });
  Deno.writeFileSync(`${folder.path}/a.png`, BYTES);
  const { code, stdout, stderr } = await bench(
    ["run", "flow.yaml", "--target", "./target.yaml", "--store", "s", ...args],
    { cwd: folder.path, env },
  );
  equal(code, 0, stdout + stderr);
  const [run] = [...Deno.readDirSync(`${folder.path}/s`)];
  const path = `${folder.path}/s/${run!.name}/traces.json`;
  return {
    arrivals: [...server.arrivals],
    traces: Deno.readTextFileSync(path),
    stdout,
  };
}

function bodyOf({ text }: Arrival): Uint8Array {
  const body = text.slice(text.indexOf("\r\n\r\n") + 4);
  return Uint8Array.from(body, (each) => each.charCodeAt(0));
}

function headerOf({ text }: Arrival, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)\r$`, "m").exec(text)?.[1];
}

const MULTIPART = `  - id: upload
    call: POST /upload
    multipart:
      title: "{{ env.TITLE }}"
      tag: [one, two]
      data: { text: '{"a":1}', type: application/json }
      'na"me': { file: a.png, name: 'ü".png' }
      note: { file: note.txt, type: "text/{{ env.SUB }}" }
`;
const ENV = { TITLE: "a title\r\n--", SUB: "markdown" };

/** What the upload holds; name, file name, type, bytes. */
type Parts = (readonly [string, string | null, string | null, number[]])[];
const text = (value: string) => [...new TextEncoder().encode(value)];
const PARTS: Parts = [
  ["title", null, null, text(ENV.TITLE)],
  ["tag", null, null, text("one")],
  ["tag", null, null, text("two")],
  ["data", null, "application/json", text('{"a":1}')],
  ["na%22me", "ü%22.png", "image/png", [...BYTES]],
  ["note", "note.txt", "text/markdown", text("hello\n")],
];

/** What busboy says of a part. */
interface Info {
  readonly filename: string;
  readonly mimeType: string;
}

function readByBusboy(type: string, body: Uint8Array): Promise<Parts> {
  const { promise, resolve, reject } = Promise.withResolvers<Parts>();
  const parts: Promise<Parts[number]>[] = [];
  const reader = busboy({
    headers: { "content-type": type },
    defParamCharset: "utf8",
  });
  reader.on("field", (name: string, value: string, info: Info) => {
    const { mimeType } = info;
    const declared = mimeType === "text/plain" ? null : mimeType;
    parts.push(Promise.resolve([name, null, declared, text(value)]));
  });
  reader.on("file", (name: string, stream: Readable, info: Info) => {
    const { filename, mimeType } = info;
    parts.push((async () => {
      const chunks: Uint8Array[] = [];
      for await (const each of stream) chunks.push(each);
      return [name, filename, mimeType, [...Buffer.concat(chunks)]] as const;
    })());
  });
  reader.on("close", () => resolve(Promise.all(parts)));
  reader.on("error", reject);
  Readable.from([body]).pipe(reader);
  return promise;
}

async function readByFetch(type: string, body: Uint8Array): Promise<Parts> {
  const form = await new Response(body as BodyInit, {
    headers: { "content-type": type },
  }).formData();
  return await Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === "string" ? [name, null, null, text(value)] as const : [
        name,
        value.name,
        value.type,
        [...new Uint8Array(await value.arrayBuffer())],
      ] as const
    ),
  );
}

const EMAIL = `
import email.message, email.policy, json, sys
body = sys.stdin.buffer.read()
message = email.message_from_bytes(b"Content-Type: " + sys.argv[1].encode() + b"\\r\\n\\r\\n" + body, policy=email.policy.HTTP)
print(json.dumps([[
    part.get_param("name", header="content-disposition"),
    part.get_filename(),
    part.get_content_type() if part["content-type"] else None,
    list(part.get_payload(decode=True)),
] for part in message.get_payload()]))
`;

async function readByPython(type: string, body: Uint8Array): Promise<Parts> {
  const child = new Deno.Command("python3", {
    args: ["-c", EMAIL, type],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(body);
  await writer.close();
  const { stdout } = await child.output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("a multipart body is read back by busboy, by fetch's formData() and by Python's email", async () => {
  const { arrivals, traces } = await sent(MULTIPART, { env: ENV });
  const [arrival] = arrivals;
  const type = headerOf(arrival!, "Content-Type")!;
  const body = bodyOf(arrival!);
  equal(headerOf(arrival!, "Content-Length"), String(body.length));
  deepStrictEqual(await readByBusboy(type, body), PARTS);
  // The platform has no type for a field that is text.
  deepStrictEqual(
    await readByFetch(type, body),
    PARTS.map(([name, file, type, bytes]) =>
      [name, file, file === null ? null : type, bytes] as const
    ),
  );
  deepStrictEqual(await readByPython(type, body), PARTS);
  match(
    traces,
    /name=\\"note\\"; filename=\\"note.txt\\"; text\/\[redacted\]; 6 bytes/,
  );
});

Deno.test("the same run sends the same multipart bytes, another seed another boundary", async () => {
  const bytes = async (...args: string[]) =>
    (await sent(MULTIPART, { args, env: ENV })).arrivals[0]!.text
      .replace(/^Host: .*$/m, "");
  const [first, again, other] = await Promise.all([
    bytes(),
    bytes(),
    bytes("--seed", "2"),
  ]);
  equal(first, again);
  equal(first === other, false);
});

Deno.test("text and file bodies go out as they are, with a type that can be declared", async () => {
  const { arrivals } = await sent(
    `  - id: a
    call: PUT /a
    text: "grün {{ env.TITLE }}"
  - id: b
    call: PUT /b
    file: a.png
  - id: c
    call: PUT /c
    headers: { content-type: text/csv }
    file: a.png
  - id: d
    poll:
      call: POST /d
      form: { q: "a b&=+*~é" }
      until: [status == 200]
      interval: 1s
      max_attempts: 1
`,
    { env: { TITLE: "title" } },
  );
  const types = arrivals.map((each) =>
    headerOf(each, "Content-Type") ?? headerOf(each, "content-type")
  );
  deepStrictEqual(types, [
    "text/plain; charset=utf-8",
    "image/png",
    "text/csv",
    "application/x-www-form-urlencoded",
  ]);
  equal(new TextDecoder().decode(bodyOf(arrivals[0]!)), "grün title");
  deepStrictEqual(bodyOf(arrivals[1]!), BYTES);
  deepStrictEqual(bodyOf(arrivals[2]!), BYTES);
  equal(
    new TextDecoder().decode(bodyOf(arrivals[3]!)),
    "q=a+b%26%3D%2B*%7E%C3%A9",
  );
});

Deno.test("a form without fields is a form all the same, of no bytes", async () => {
  const { arrivals } = await sent(`  - id: none
    call: POST /none
    form: {}
  - id: list
    call: DELETE /list
    form: { ids: [] }
`);
  for (const arrival of arrivals) {
    equal(
      headerOf(arrival, "Content-Type"),
      "application/x-www-form-urlencoded",
    );
    equal(headerOf(arrival, "Content-Length"), "0");
    equal(bodyOf(arrival).length, 0);
  }
  equal(arrivals.length, 2);
});

Deno.test("HMAC signs the bytes of a form and of a file", async () => {
  const { arrivals } = await sent(
    `  - id: a
    call: POST /a
    form: { a: "1 2" }
  - id: b
    call: POST /b
    file: a.png
`,
    {
      flow: 'auth: { scheme: hmac, secret: "{{ env.KEY }}", sign: "{body}" }\n',
      env: { KEY: "a-signing-key" },
    },
  );
  for (const arrival of arrivals) {
    const expected = createHmac("sha256", "a-signing-key")
      .update(bodyOf(arrival)).digest("hex");
    equal(headerOf(arrival, "X-Signature"), expected);
  }
  equal(arrivals.length, 2);
});

Deno.test("a credential in a form is redacted in its traces, in every form of it", async () => {
  const { traces, stdout } = await sent(
    `  - id: login
    call: POST /login
    form: { user: ada, password: "{{ env.PASS }}" }
`,
    { env: { PASS: "p ss&wörd" } },
  );
  match(traces, /user=ada|password=\[redacted\]/);
  for (const form of ["p ss&wörd", "p+ss%26w%C3%B6rd", "p%20ss%26w"]) {
    equal((traces + stdout).includes(form), false, form);
  }
});

Deno.test("every retry sends the body of a form once more", async () => {
  let count = 0;
  await using server = recordingServer(() =>
    ++count < 3
      ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
      : "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
  );
  using folder = workspace({
    "flow.yaml": `version: 1
flow: f
steps:
  - id: a
    call: POST /a
    form: { a: b }
    retry: { on_status: [503], backoff: fixed, max_attempts: 3, base_delay: 1ms }
`,
    "target.yaml": `name: t\nbase_urls: ["${server.url}"]\n`,
  });
  const { code } = await bench(
    ["run", "flow.yaml", "--target", "./target.yaml"],
    { cwd: folder.path },
  );
  equal(code, 0);
  deepStrictEqual(
    server.arrivals.map((each) => new TextDecoder().decode(bodyOf(each))),
    ["a=b", "a=b", "a=b"],
  );
});

Deno.test("a replay sends every kind of body as it was, and a HAR export says what was sent", async () => {
  await using server = recordingServer();
  using folder = workspace({
    "flow.yaml": `version: 1
flow: f
profile: { mode: load, vus: 1, iterations: 3 }
values: { n: counter }
steps:
  - { id: form, call: POST /form, form: { q: "a b&{{ n }}", tag: [x, y] } }
${MULTIPART}  - { id: text, call: PUT /text, text: "line {{ n }}" }
  - { id: file, call: PUT /file, file: a.png }
`,
    "target.yaml": `name: t\nbase_urls: ["${server.url}"]\n`,
    "note.txt": "hello\n",
  });
  Deno.writeFileSync(`${folder.path}/a.png`, BYTES);
  const at = { cwd: folder.path, env: ENV };
  const run = await bench(
    ["run", "flow.yaml", "--target", "./target.yaml", "--store", "s", "--json"],
    at,
  );
  equal(run.code, 0, run.stderr);
  const { id } = JSON.parse(run.stdout);
  const before = server.arrivals.map(({ text }) => text);
  const store = `${folder.path}/s`;
  const { traces } = JSON.parse(
    Deno.readTextFileSync(`${store}/${id}/traces.json`),
  );
  for (const { trace_id, iteration } of traces) {
    const again = await bench(["replay", id, trace_id, "--store", "s"], at);
    match(again.stdout, /every exchange is the same/, again.stderr);
    const sent = server.arrivals.slice(-4).map(({ text }) => text);
    deepStrictEqual(sent, before.slice(iteration * 4, iteration * 4 + 4));
  }
  const response = await asker(store)(`/runs/${id}/export/har`);
  const { log } = await response.json();
  const posted = log.entries.slice(0, 4)
    .map((each: { request: { postData: object } }) => each.request.postData);
  deepStrictEqual(posted[0], {
    mimeType: "application/x-www-form-urlencoded",
    text: "q=a+b%261&tag=x&tag=y",
  });
  deepStrictEqual(posted[1].params.slice(3), [
    { name: "data", contentType: "application/json", comment: "7 bytes" },
    {
      name: "na%22me",
      fileName: "ü%22.png",
      contentType: "image/png",
      comment: "8 bytes",
    },
    {
      name: "note",
      fileName: "note.txt",
      contentType: "text/[redacted]",
      comment: "6 bytes",
    },
  ]);
  equal(posted[1].text, undefined);
  equal(posted[2].text, "line 1");
  deepStrictEqual(posted[3], {
    mimeType: "image/png",
    text: Buffer.from(BYTES).toString("base64"),
    comment: "Binary, in base64.",
  });
});
