import {
  deepStrictEqual,
  notDeepStrictEqual,
  strictEqual,
} from "node:assert/strict";
import fc from "fast-check";
import { openPool } from "../../../../lib/engine/data/pool.ts";
import type { Pool } from "../../../../lib/language/ir.ts";

type RowSource = ReturnType<typeof openPool>;

const DISTRIBUTIONS = ["unique-per-vu", "round-robin", "random"] as const;

function open(
  distribution: Pool["distribution"],
  on_exhausted: Pool["on_exhausted"],
  size: number,
  seed = 1,
): RowSource {
  return openPool({ distribution, on_exhausted }, size, seed);
}

function picks(source: RowSource, count: number) {
  return Array.from({ length: count }, (_, iteration) => source.row(iteration));
}

const table: readonly [
  string,
  Pool["distribution"],
  Pool["on_exhausted"],
  readonly (number | undefined)[],
][] = [
  ["unique rows run dry under fail", "unique-per-vu", "fail", [
    0,
    1,
    2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]],
  ["unique rows run dry under stop", "unique-per-vu", "stop", [
    0,
    1,
    2,
    undefined,
    undefined,
    undefined,
    undefined,
  ]],
  ["unique rows begin again under cycle", "unique-per-vu", "cycle", [
    0,
    1,
    2,
    0,
    1,
    2,
    0,
  ]],
  ["round-robin goes round whatever the policy", "round-robin", "fail", [
    0,
    1,
    2,
    0,
    1,
    2,
    0,
  ]],
];

for (const [what, distribution, policy, expected] of table) {
  Deno.test(`pool: ${what}`, () => {
    const source = open(distribution, policy, 3);
    deepStrictEqual(picks(source, 7), expected);
    strictEqual(source.exhausted, policy);
  });
}

Deno.test("pool: every row it hands out exists", () => {
  fc.assert(fc.property(
    fc.constantFrom(...DISTRIBUTIONS),
    fc.constantFrom(...(["fail", "cycle", "stop"] as const)),
    fc.integer({ min: 1, max: 50 }),
    fc.integer(),
    (distribution, policy, size, seed) => {
      for (const row of picks(open(distribution, policy, size, seed), 120)) {
        if (row === undefined) strictEqual(distribution, "unique-per-vu");
        else strictEqual(Number.isInteger(row) && row >= 0 && row < size, true);
      }
    },
  ));
});

Deno.test("pool: unique rows come once each, all of them, in file order", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 200 }),
    fc.constantFrom("fail", "stop"),
    fc.nat(300),
    (size, policy, iterations) => {
      const rows = picks(open("unique-per-vu", policy, size), iterations);
      deepStrictEqual(
        rows,
        rows.map((_, index) => index < size ? index : undefined),
      );
    },
  ));
});

Deno.test("pool: cycle and round-robin use every row equally often", () => {
  fc.assert(fc.property(
    fc.constantFrom("unique-per-vu", "round-robin"),
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 1, max: 5 }),
    (distribution, size, rounds) => {
      const counts = new Map<number, number>();
      for (
        const row of picks(open(distribution, "cycle", size), size * rounds)
      ) {
        counts.set(row!, (counts.get(row!) ?? 0) + 1);
      }
      deepStrictEqual(
        [...counts.values()],
        Array.from({ length: size }, () => rounds),
      );
    },
  ));
});

Deno.test("pool: random picks go by the seed, and reach every row", () => {
  const first = picks(open("random", "fail", 10, 7), 200);
  deepStrictEqual(picks(open("random", "fail", 10, 7), 200), first);
  notDeepStrictEqual(picks(open("random", "fail", 10, 8), 200), first);
  strictEqual(new Set(first).size, 10);
});

Deno.test("pool: random rows come once each where every row has its turn, in an order that goes by the seed", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 200 }),
    fc.integer(),
    (size, seed) => {
      const rows = picks(everyRow(size, seed), size);
      deepStrictEqual(rows.toSorted((a, b) => a! - b!), [...rows.keys()]);
      deepStrictEqual(picks(everyRow(size, seed), size), rows);
    },
  ));
  const orders = [1, 2, 3, 4].map((seed) => picks(everyRow(50, seed), 50));
  strictEqual(new Set(orders.map(String)).size, 4);
  const [first] = orders;
  notDeepStrictEqual(first, [...first!.keys()], "not in file order");
});

/** A random pool of an integration run. */
function everyRow(size: number, seed: number): RowSource {
  const pool = { distribution: "random", on_exhausted: "fail" } as const;
  return openPool(pool, size, seed, true);
}

Deno.test("pool: a row depends on the iteration's number alone, by any caller and in any order", () => {
  for (const distribution of DISTRIBUTIONS) {
    const expected = picks(open(distribution, "fail", 30, 5), 50);
    const [one, two] = [1, 2].map(() => open(distribution, "fail", 30, 5));
    const backwards = Array.from(
      { length: 50 },
      (_, index) => (index % 3 === 0 ? one : two)!.row(49 - index),
    );
    deepStrictEqual(backwards.reverse(), expected);
  }
});

Deno.test("random rows: seeds that differ by 2^32 are two seeds", () => {
  const rows = (seed: number) => picks(open("random", "fail", 1_000, seed), 20);
  for (const other of [1 + 2 ** 32, 1 - 2 ** 32, 1 + 2 ** 52]) {
    notDeepStrictEqual(rows(other), rows(1));
  }
});
