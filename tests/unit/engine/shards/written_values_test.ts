import { deepStrictEqual, equal, ok, rejects } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RunOutcome } from "../../../../lib/run.ts";
import { readComparable } from "../../../../lib/results/comparison/evidence.ts";
import {
  agreementOf,
  difference,
} from "../../../../lib/engine/shards/handshake.ts";
import { temporaryStore } from "../merge/shares_apart.ts";
import { prepared, ShardedFixture } from "./sharded_fixture.ts";

/** The tenant of the environment is also what the author wrote. */
const flow = (path = "/tenants/acme/jobs") =>
  `flow: acme
profile: { mode: load, vus: 2, hold: 11s, arrival_cap: 2/s }
steps:
  - { id: acme_1, call: "GET ${path}?for={{ env.TENANT }}" }
  - { id: two, call: "GET /acme/{{ env.N }}", assert: ["status != 500"] }
`;

/** A run of one process, or of two, for which the tenant is `TENANT`. */
async function run(
  baseUrl: string,
  storeDir: string,
  { TENANT, count = 1, text = flow() }: {
    readonly TENANT: string;
    readonly count?: number;
    readonly text?: string;
  },
): Promise<RunOutcome> {
  const fixture = new ShardedFixture(
    await prepared({ flow: text, baseUrl, env: { TENANT, N: "1" } }),
    count,
  );
  return await fixture.clock.drive(
    fixture.all({ storeDir }),
  );
}

/** A server that says nothing of what it was asked. */
function silentServer() {
  const asked: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    ({ url }) => {
      asked.push(new URL(url).pathname);
      return new Response("{}");
    },
  );
  return {
    asked,
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const flowOf = ({ directory }: RunOutcome) =>
  Deno.readTextFile(join(directory!, "flow.json"));

Deno.test("shards: two and one process agree on ir_sha256 of a flow in which values of the environment are written", async () => {
  await using server = silentServer();
  using store = temporaryStore();
  const { storeDir } = store;
  const shared = await run(server.url, storeDir, { TENANT: "acme", count: 2 });
  const alone = await run(server.url, storeDir, { TENANT: "acme" });
  equal(shared.meta.shards?.length, 2);
  ok(shared.meta.shards!.every(({ iterations }) => iterations > 0));
  equal(shared.meta.ir_sha256, alone.meta.ir_sha256);
  const text = await flowOf(shared);
  equal(text, await flowOf(alone));
  const hash = createHash("sha256").update(text).digest("hex");
  equal(shared.meta.ir_sha256, hash);
  deepStrictEqual([...new Set(server.asked)].sort(), [
    "/acme/1",
    "/tenants/acme/jobs",
  ]);
  deepStrictEqual(shared.meta.steps.map(({ id }) => id), ["acme_1", "two"]);
});

Deno.test("shards: what the environment holds is no part of the flow they agree on", async () => {
  const same = { seed: 1, http: "auto", arrivals: "constant" } as const;
  const agreement = async (TENANT: string) =>
    agreementOf(
      await prepared({ flow: flow(), env: { TENANT, N: "1" } }),
      same,
    );
  const lead = await agreement("acme");
  equal(difference(lead, await agreement("acme")), undefined);
  equal(difference(lead, await agreement("umbrella")), undefined);
});

Deno.test("readComparable: two runs are of equal flows, whatever of them also stands in the environment", async () => {
  await using server = silentServer();
  using store = temporaryStore();
  const { storeDir } = store;
  const written = await run(server.url, storeDir, { TENANT: "acme" });
  const other = await run(server.url, storeDir, { TENANT: "umbrella" });
  equal(written.meta.ir_sha256, other.meta.ir_sha256);
  const allowed = { targets: false };
  const dirs = [written, other].map(({ directory }) => directory!);
  const compare = (base: string) =>
    readComparable(dirs[0]!, [base], Date.now(), allowed);
  const { bases: [base] } = await compare(dirs[1]!);
  equal(base!.meta.id, other.meta.id);
  const traces = await Deno.readTextFile(join(dirs[0]!, "traces.json"));
  ok(traces.includes("for=[redacted]") && !traces.includes("for=acme"));
  const changed = await run(server.url, storeDir, {
    TENANT: "acme",
    text: flow("/tenants/[redacted]/jobs"),
  });
  await rejects(compare(changed.directory!), /the steps of the flow are not/);
});
