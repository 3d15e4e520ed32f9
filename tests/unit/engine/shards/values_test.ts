import { deepStrictEqual, equal } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { prepared, ShardedFixture } from "./sharded_fixture.ts";

const FLOW = `version: 1
flow: drawn
profile: { mode: load, vus: 9, iterations: 90 }
values:
  order: uuid
  session: { uuid: 7 }
  quantity: { int: 1..1000000 }
  price: { decimal: 0.50..99.99 }
  number: counter
  code: { hex: 24 }
  email: { text: "load-{{ number }}-{{ code }}@example.com" }
steps:
  - id: one
    call: "GET /{{ number }}/{{ order }}/{{ session }}/{{ quantity }}/{{ price }}/{{ email }}"
`;

Deno.test("values: 1, 2 and 8 shards draw the same set, and count each number once", async () => {
  const asked: string[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      asked.push(new URL(request.url).pathname);
      return new Response("{}");
    },
  );
  const baseUrl = `http://127.0.0.1:${server.addr.port}`;
  const run = await prepared({ flow: FLOW, baseUrl });
  const options = { clock: systemClock };
  await new ShardedFixture(run, 1).alone(options).outcome;
  const one = asked.splice(0).sort();
  equal(new Set(one.map((each) => each.split("/")[1])).size, 90);
  for (const count of [2, 8]) {
    await new ShardedFixture(run, count).all(options);
    deepStrictEqual(asked.splice(0).sort(), one, `${count} shards`);
  }
  await new ShardedFixture(run, 1).alone({ ...options, seed: 2 }).outcome;
  const other = asked.splice(0).map((each) => each.split("/")[2]);
  equal(one.filter((each) => other.includes(each.split("/")[2])).length, 0);
});
