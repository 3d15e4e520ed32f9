import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { compileValues } from "../../../../lib/engine/data/values.ts";
import {
  type Drawn,
  Embedded,
  ResolutionError,
} from "../../../../lib/language/expressions/template.ts";
import type { DrawnValue } from "../../../../lib/language/ir.ts";

/** 2026-03-29 01:59:59.999, the last moment before clocks change in Europe. */
const MOMENT = Date.UTC(2026, 2, 29, 1, 59, 59, 999);

/** What is drawn for the numbers from 0 on, as plain data. */
function drawn(
  values: readonly DrawnValue[],
  count: number,
  { seed = 1, from = 0, before = {} } = {},
): unknown[][] {
  const names = {
    variables: new Map<string, number>(),
    pools: new Map([["user", 0]]),
    values: new Map(values.map(({ name }, index) => [name, index])),
    env: new Map([["TENANT", "acme"]]),
  };
  const wall = () => MOMENT;
  const draw = compileValues(values, names, { seed, wall, before });
  const row = new Map([["name", { text: "ann" }]]);
  return Array.from(
    { length: count },
    (_, at) => draw(from + at, [from + at === 3 ? undefined : row]).map(plain),
  );
}

function plain(value: Drawn): unknown {
  if (value instanceof Embedded) return value.text;
  return value instanceof ResolutionError ? value.message : value;
}

/** What one value is drawn as for so many numbers. */
function draws(value: DrawnValue, count: number): unknown[] {
  return drawn([value], count).map(([first]) => first);
}

function counts(values: readonly unknown[]): Map<unknown, number> {
  const groups = Map.groupBy(values, (each) => JSON.stringify(each));
  return new Map([...groups].map(([key, all]) => [key, all.length]));
}

Deno.test("values: the seed and the number alone decide, in any order and from any beginning", () => {
  const all: DrawnValue[] = [
    { name: "a", kind: "uuid", version: 4 },
    { name: "b", kind: "uuid", version: 7 },
    { name: "c", kind: "int", min: -5, max: 5 },
    { name: "d", kind: "decimal", min: 50, max: 9_999, digits: 2 },
    { name: "e", kind: "choice", of: ["x", { y: 1 }], weights: [1, 2] },
    { name: "f", kind: "counter" },
    { name: "g", kind: "hex", length: 70 },
    { name: "h", kind: "text", text: "{{ f }}-{{ d }}" },
  ];
  const whole = drawn(all, 200);
  deepStrictEqual(drawn(all, 200), whole);
  deepStrictEqual(drawn(all, 80, { from: 120 }), whole.slice(120));
  const other = drawn(all, 200, { seed: 2 });
  for (const [at, { name }] of all.entries()) {
    const same = other.filter((each, n) => each[at] === whole[n]![at]).length;
    ok(name === "f" ? same === 200 : same < 200, name);
  }
});

Deno.test("values: a uuid is one of its version (RFC 9562), and no two are the same", () => {
  for (const version of [4, 7] as const) {
    const all = draws({ name: "a", kind: "uuid", version }, 5_000) as string[];
    equal(new Set(all).size, all.length);
    const form = new RegExp(
      `^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
    );
    for (const each of all) match(each, form);
    if (version === 7) deepStrictEqual(all.toSorted(), all);
  }
  const two = drawn([
    { name: "a", kind: "uuid", version: 4 },
    { name: "b", kind: "uuid", version: 4 },
  ], 1)[0]!;
  ok(two[0] !== two[1]);
});

Deno.test("values: whole numbers and decimals keep to their bounds, which are drawn too, and spread evenly", () => {
  const ints = counts(
    draws({ name: "a", kind: "int", min: -2, max: 7 }, 10_000),
  );
  deepStrictEqual(
    [...ints.keys()].map(Number).toSorted((a, b) => a - b),
    [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7],
  );
  for (const count of ints.values()) ok(Math.abs(count - 1_000) < 150);
  const wide = { name: "a", kind: "int", min: 0, max: 2 ** 53 - 2 } as const;
  for (const each of draws(wide, 2_000)) ok(Number.isSafeInteger(each));
  const prices = draws(
    { name: "a", kind: "decimal", min: -5, max: 105, digits: 2 },
    5_000,
  ) as string[];
  for (const each of prices) {
    match(each, /^-?\d\.\d{2}$/);
    ok(Number(each) >= -0.05 && Number(each) <= 1.05);
  }
  deepStrictEqual(
    ["-0.05", "-0.01", "0.00", "1.05"].filter((each) => !prices.includes(each)),
    [],
  );
  deepStrictEqual(
    draws({ name: "a", kind: "decimal", min: 3, max: 3, digits: 0 }, 1),
    ["3"],
  );
});

Deno.test("values: choices are as frequent as their weights; one of weight 0 is never drawn", () => {
  const of = ["red", 5, { a: [1] }, null];
  const weighted = counts(
    draws({ name: "a", kind: "choice", of, weights: [5, 3, 2, 0] }, 10_000),
  );
  deepStrictEqual([...weighted.keys()].toSorted(), ['"red"', "5", '{"a":[1]}']);
  for (const [key, share] of [['"red"', 0.5], ["5", 0.3]] as const) {
    ok(Math.abs(weighted.get(key)! / 10_000 - share) < 0.025, key);
  }
  equal(counts(draws({ name: "a", kind: "choice", of }, 2_000)).size, 4);
});

Deno.test("values: counters, digits, moments and texts are as they are declared", () => {
  deepStrictEqual(draws({ name: "a", kind: "counter" }, 3), [1, 2, 3]);
  for (const length of [1, 32, 33, 1_024]) {
    const [text] = draws({ name: "a", kind: "hex", length }, 1);
    match(String(text), new RegExp(`^[0-9a-f]{${length}}$`));
  }
  const now = (
    format: "date" | "rfc3339" | "unix" | "unix_ms",
    offset_us?: number,
  ) =>
    draws(
      { name: "a", kind: "now", format, ...(offset_us && { offset_us }) },
      1,
    )[0];
  equal(now("date"), "2026-03-29");
  equal(now("date", 24 * 3_600e6), "2026-03-30");
  equal(now("rfc3339", -86_400e6), "2026-03-28T01:59:59.999Z");
  equal(now("unix"), Math.floor(MOMENT / 1_000));
  equal(now("unix_ms", -1_500), MOMENT - 2);
  const texts = drawn([
    { name: "n", kind: "counter" },
    {
      name: "a",
      kind: "text",
      text: "{{ n }}-{{ user.name }}@{{ env.TENANT }}",
    },
    { name: "b", kind: "text", text: "<{{ a }}>" },
  ], 4).map((each) => each.slice(1));
  deepStrictEqual(texts[0], ["1-ann@acme", "<1-ann@acme>"]);
  const dry = "{{ user.name }} has no row: the pool is exhausted";
  deepStrictEqual(texts[3], [dry, dry]);
});

Deno.test("values: an iteration that is carried out once more has the moments of then", () => {
  const values: DrawnValue[] = [
    { name: "day", kind: "now", format: "date" },
    { name: "ms", kind: "now", format: "unix_ms" },
    { name: "id", kind: "uuid", version: 4 },
  ];
  const before = { day: "2025-01-01", ms: "1735689600000", id: "was" };
  const [again] = drawn(values, 1, { before });
  deepStrictEqual(again!.slice(0, 2), ["2025-01-01", 1_735_689_600_000]);
  equal(again![2], drawn(values, 1)[0]![2]);
});

Deno.test("values: seeds that differ by 2^32 are two seeds", () => {
  const ids = (seed: number) =>
    drawn([{ name: "a", kind: "uuid", version: 4 }], 1, { seed })[0]![0];
  const all = [1, 1 + 2 ** 32, 1 - 2 ** 32, 1 + 2 ** 52].map(ids);
  equal(new Set(all).size, all.length);
});
