import { deepEqual, equal } from "node:assert/strict";
import { Rota } from "../../../../lib/engine/plan/turns.ts";

/** How often each flow has its turn in so many iterations. */
function counted(rota: Rota, from: number, count: number, flows: number) {
  const counts = Array<number>(flows).fill(0);
  for (let i = from; i < from + count; i++) counts[rota.flowOf(i)]!++;
  return counts;
}

Deno.test("Rota meets the shares exactly in every hundred iterations, wherever they begin", () => {
  const of = [70, 20, 7, 3];
  const rota = new Rota({ of, mixed: true });
  for (let from = 0; from < 250; from++) {
    deepEqual(counted(rota, from, 100, 4), of);
  }
});

Deno.test("Rota: no flow is ever an iteration or more off its share", () => {
  const of = [70, 20, 7, 3];
  const rota = new Rota({ of, mixed: true });
  for (let count = 1; count <= 300; count++) {
    counted(rota, 0, count, 4).forEach((had, flow) => {
      const off = Math.abs(had - count * of[flow]! / 100);
      equal(off < 1, true, `${had} of ${count} for flow ${flow}`);
    });
  }
});

Deno.test("Rota: what matters of weights is their ratio", () => {
  const some = new Rota({ of: [7, 3], mixed: true });
  const more = new Rota({ of: [700, 300], mixed: true });
  for (let i = 0; i < 50; i++) equal(some.flowOf(i), more.flowOf(i));
});

for (const shards of [1, 3, 8]) {
  Deno.test(`Rota: ${shards} shards that take numbers in any order have the shares together`, () => {
    const of = [70, 30];
    const counts = [0, 0];
    const seen = [new Set<number>(), new Set<number>()];
    for (let shard = 0; shard < shards; shard++) {
      const rota = new Rota({ of, mixed: true });
      for (let i = shard; i < 1_000; i += shards) {
        const flow = rota.flowOf(i);
        counts[flow]!++;
        seen[flow]!.add(rota.numberOf(i));
      }
    }
    deepEqual(counts, [700, 300]);
    // Each number of a flow once, from 0 on.
    deepEqual(seen.map((each) => [each.size, Math.max(...each)]), [
      [700, 699],
      [300, 299],
    ]);
  });
}

Deno.test("Rota: rows come one flow after another", () => {
  const rota = new Rota({ of: [2, 0, 3], mixed: false });
  const turns = [0, 1, 2, 3, 4];
  deepEqual(turns.map((each) => rota.flowOf(each)), [0, 0, 2, 2, 2]);
  deepEqual(turns.map((each) => rota.numberOf(each)), [0, 1, 0, 1, 2]);
});

Deno.test("Rota: a flow by itself has every number", () => {
  const rota = new Rota();
  for (const each of [0, 1, 2, 0xfffffffe]) {
    deepEqual([rota.flowOf(each), rota.numberOf(each)], [0, each]);
  }
});
