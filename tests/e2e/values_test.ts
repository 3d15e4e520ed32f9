import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";
import { rawResponse } from "../support/raw_response.ts";
import { asker } from "../support/viewer_fixture.ts";
import { recordingServer } from "../support/recording_server.ts";

const FLOW = `version: 1
flow: f
data: users.csv
profile: { mode: load, vus: 3, iterations: 12 }
pools:
  item: { path: items.csv, distribution: random }
values:
  order: uuid
  session: { uuid: 7 }
  price: { decimal: 0.50..99.99 }
  colour: { choice: [red, { a: 1 }] }
  number: counter
  moment: { now: unix_ms }
  email: { text: "load-{{ number }}-{{ user.name }}@{{ env.TENANT }}.example" }
  key: { text: "key-{{ env.TENANT }}-{{ number }}" }
steps:
  - id: order
    call: PUT /orders/{{ order }}?m={{ moment }}
    auth: { scheme: bearer, token: "{{ key }}" }
    body: { id: "{{ order }}", price: "{{ price }}", text: "{{ price }}!", colour: "{{ colour }}", by: "{{ email }}", item: "{{ item.sku }}" }
    assert:
      - price <= 99.99
      - $.price == {{ price }}
      - $.id == {{ order }}
      - number >= 1
`;
const FILES = {
  "flow.yaml": FLOW,
  "users.csv": "name\n" +
    Array.from({ length: 12 }, (_, n) => `u${n}`).join("\n"),
  "items.csv": "sku\n" +
    Array.from({ length: 50 }, (_, n) => `i${n}`).join("\n"),
};

/** A workspace, its server that sends bodies back, and what arrived there. */
function opened() {
  let seen = 0;
  const server = recordingServer(({ text }) =>
    rawResponse(200, JSON.parse(text.slice(text.indexOf("\r\n\r\n"))))
  );
  const folder = workspace({
    ...FILES,
    "target.yaml": `name: t\nbase_urls: ["${server.url}"]\n`,
  });
  const at = { cwd: folder.path, env: { TENANT: "acme-tenant" } };
  return {
    folder,
    at,
    /** Request line, credential and body of what arrived since. */
    arrived: () =>
      server.arrivals.slice(seen, seen = server.arrivals.length).map((
        { text },
      ) => {
        const [head = "", body = ""] = text.split("\r\n\r\n");
        const [line = ""] = head.split("\r\n");
        return `${line} ${/^authorization: (.*)$/im.exec(head)?.[1]} ${body}`;
      }),
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const RUN = ["run", "flow.yaml", "--target", "./target.yaml", "--store", "s"];

/** Without the time, which no two runs share. */
function timeless(lines: readonly string[]): string[] {
  return lines.map((each) => each.replace(/\?m=\d+/, "")).sort();
}

Deno.test("values are drawn anew for each iteration: the same seed draws the same, whatever the threads", async () => {
  await using run = opened();
  const first = await bench([...RUN, "--workers", "1"], run.at);
  equal(first.code, 0, first.stdout + first.stderr);
  const drawn = timeless(run.arrived());
  equal(new Set(drawn).size, 12);
  for (const each of drawn) {
    const [, path, body = ""] = /^PUT (\S+) HTTP\/1\.1 Bearer \S+ (.*)$/
      .exec(each)!;
    const { id, price, text, colour, by } = JSON.parse(body);
    equal(path, `/orders/${id}`);
    match(body, /"price":\d+\.\d\d,"text":"\d+\.\d\d!"/);
    equal(Number(text.slice(0, -1)), price);
    ok(colour === "red" || colour.a === 1);
    match(by, /^load-\d+-u\d+@acme-tenant\.example$/);
  }
  await bench([...RUN, "--workers", "2"], run.at);
  deepStrictEqual(timeless(run.arrived()), drawn);
  for (const seed of ["2", "-1", "5000000000"]) {
    const { stdout } = await bench([...RUN, "--json", "--seed", seed], run.at);
    equal(JSON.parse(stdout).seed, Number(seed));
    const others = timeless(run.arrived());
    equal(others.filter((each) => drawn.includes(each)).length, 0, seed);
    drawn.push(...others);
  }
  equal(new Set(drawn).size, 48);
});

Deno.test("a replay draws what was drawn, moments included, and has the rows of every pool; traces show it", async () => {
  await using run = opened();
  const { stdout } = await bench([...RUN, "--json"], run.at);
  const { id } = JSON.parse(stdout);
  const before = run.arrived();
  const file = `${run.folder.path}/s/${id}/traces.json`;
  const stored = Deno.readTextFileSync(file);
  ok(!stored.includes("acme-tenant") && !stored.includes("key-"));
  const { traces } = JSON.parse(stored);
  for (const trace of traces.slice(0, 4)) {
    const again = await bench(
      ["replay", id, trace.trace_id, "--store", "s"],
      run.at,
    );
    match(again.stdout, /\n {2}every exchange is the same\n/, again.stderr);
    const [line] = run.arrived();
    ok(before.includes(line!), `${line}`);
  }
  const names = traces[0].values.map(({ name }: { name: string }) => name);
  deepStrictEqual(names, [
    ...["order", "session", "price", "colour", "number", "moment"],
    ...["email", "key"],
  ]);
  const asked = asker(`${run.folder.path}/s`);
  const [{ trace_id, values }] = traces;
  for (
    const path of [`traces/${trace_id}`, "export/otlp", "export/speedscope"]
  ) {
    const response = await asked(`/runs/${id}/${path}`);
    equal(response.status, 200, path);
    const text = await response.text();
    equal(text.includes(values[0].value), path !== "export/speedscope", path);
    ok(!text.includes("acme-tenant"), path);
  }
});

Deno.test("a text whose row is missing fails the step that uses it, with its own reason", async () => {
  await using run = opened();
  const few = [...RUN, "--iterations", "13", "--json"];
  const { stdout } = await bench(few, run.at);
  const { failures } = JSON.parse(stdout);
  equal(failures.length, 1);
  match(
    failures[0].message,
    /^\{\{ user\.name \}\} has no row: the pool is exhausted/,
  );
});
