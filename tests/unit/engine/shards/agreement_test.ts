import { equal, match, rejects, throws } from "node:assert/strict";
import {
  agreementOf,
  difference,
} from "../../../../lib/engine/shards/handshake.ts";
import { prepared, ShardedFixture } from "./sharded_fixture.ts";

const HASHES = String.raw`\(lead [0-9a-f]{12}, shard [0-9a-f]{12}\)$`;

Deno.test("shards: one with another fixture alone is not let in", async () => {
  const parts = (rows: string) => ({
    flow: `flow: rows
data: rows.csv
profile: { mode: load, vus: 2, iterations: 2 }
steps:
  - { id: one, call: "GET /{{ user.n }}" }
`,
    files: { "rows.csv": rows },
  });
  const fixture = new ShardedFixture(await prepared(parts("n\n1\n2\n")), 2);
  const lead = fixture.lead({ joinTimeoutMs: 1_000 });
  const run = await prepared(parts("n\n1\n3\n"));
  await rejects(
    fixture.clock.drive(fixture.join(1, { run })),
    new RegExp(`: the content of the fixtures differs ${HASHES}`),
  );
  await rejects(fixture.clock.drive(lead.outcome), /shard 1 missing/);
});

Deno.test("shards: more of them than VUs are refused, each by itself and before they meet", async () => {
  const fixture = new ShardedFixture(
    await prepared({
      flow: `flow: few
profile: { mode: load, vus: 2, iterations: 9 }
steps:
  - { id: one, call: GET / }
`,
    }),
    3,
  );
  const refusal = /^3 shards need 3 VUs at least, the profile has 2$/;
  throws(() => fixture.lead(), { message: refusal });
  await rejects(fixture.join(2), { message: refusal });
});

Deno.test("shards: what a .proto file says is part of what they agree on", async () => {
  const agreement = async (type: string) => {
    const run = await prepared({
      flow: `flow: files
profile: { mode: load, vus: 2, iterations: 2 }
steps:
  - id: one
    grpc: { proto: shop.proto, method: shop.Shop/Get, message: { id: 1 } }
`,
      files: {
        "shop.proto": `syntax = "proto3";
package shop;
service Shop { rpc Get(Item) returns (Item); }
message Item { ${type} id = 1; }
`,
      },
    });
    const same = { seed: 1, http: "auto", arrivals: "constant" } as const;
    return agreementOf(run, same);
  };
  const lead = await agreement("int32");
  equal(difference(lead, await agreement("int32")), undefined);
  match(
    difference(lead, await agreement("uint32"))!,
    new RegExp(`^a file that a step names differs ${HASHES}`),
  );
});

Deno.test("shards: the bytes of a file that a body sends are part of what they agree on", async () => {
  const agreement = async (bodies: string, sent: string) => {
    const run = await prepared({
      flow: `version: 1
flow: files
profile: { mode: load, vus: 2, iterations: 2 }
steps:
  - { id: one, call: PUT /, ${bodies} }
`,
      files: { "a.bin": sent },
    });
    return agreementOf(run, { seed: 1, http: "auto", arrivals: "constant" });
  };
  for (const bodies of ["file: a.bin", "multipart: { a: { file: a.bin } }"]) {
    const lead = await agreement(bodies, "one");
    equal(difference(lead, await agreement(bodies, "one")), undefined);
    match(
      difference(lead, await agreement(bodies, "two"))!,
      new RegExp(`^a file that a step names differs ${HASHES}`),
    );
  }
});
