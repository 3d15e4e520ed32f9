import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { parseReading } from "../../../../lib/results/samples/agent_scraper.ts";
import { READING } from "../../../support/agent_reading.ts";

const text = (change: object) => JSON.stringify({ ...READING, ...change });

Deno.test("parseReading: what an agent sends", () => {
  deepStrictEqual(parseReading(text({})), READING);
});

Deno.test("parseReading: keys of a newer agent are left out, missing ones are null", () => {
  const { load1: _, ...rest } = READING;
  deepStrictEqual(parseReading(JSON.stringify({ ...rest, gpu: "hot" })), {
    ...READING,
    load1: null,
  });
  deepStrictEqual(parseReading(text({ open_fds: null }))?.open_fds, null);
});

const GARBAGE: readonly [rule: string, body: string][] = [
  ["no JSON", "<html>"],
  ["half of a reading", text({}).slice(0, 40)],
  ["an empty body", ""],
  ["a list", "[1]"],
  ["null", "null"],
  ["an object of somebody else's", '{"ts_ms":1,"ok":true}'],
  ["no time", '{"load1":1}'],
  ["a text where a number belongs", text({ load1: "1" })],
  ["a negative counter", text({ cpu_seconds_total: -1 })],
  ["a number beyond all", text({}).replace("697", "1e999")],
];

for (const [rule, body] of GARBAGE) {
  Deno.test(`parseReading: ${rule} is no reading`, () => {
    strictEqual(parseReading(body), undefined);
  });
}

Deno.test("parseReading: never throws", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
    parseReading(body);
  }));
});
