import assert from "node:assert/strict";
import { retryAfter } from "../../../../lib/wire/http1/request_head.ts";

const NOW = Date.parse("Fri, 20 Nov 2026 18:00:00 GMT");

Deno.test("retryAfter reads seconds and HTTP dates, and nothing else", () => {
  const table: [value: string, ms: number | undefined][] = [
    ["0", 0],
    ["7", 7_000],
    [" 120 ", 120_000],
    ["Fri, 20 Nov 2026 18:00:30 GMT", 30_000],
    ["Friday, 20-Nov-26 18:00:30 GMT", 30_000],
    ["Fri Nov 20 18:00:30 2026 GMT", 30_000],
    // asctime names no zone.
    ["Fri Nov 20 18:00:30 2026", 30_000],
    ["Tue Dec  1 00:00:00 2026", 10.25 * 24 * 3_600_000],
    ["Fri, 20 Nov 2026 17:59:00 GMT", 0],
    // Two digits that would lie more than 50 years ahead lie behind.
    ["Friday, 20-Nov-77 18:00:30 GMT", 0],
    ["-1", undefined],
    ["Fri, 20 Nov 2026 18:00:30", undefined],
    ["Fri, 20 Xyz 2026 18:00:30 GMT", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["", undefined],
    ["2026-11-20T18:00:30Z", undefined],
  ];
  for (const zone of ["UTC", "America/New_York", "Asia/Kolkata"]) {
    using _ = inZone(zone);
    for (const [value, ms] of table) {
      const what = `${JSON.stringify(value)} in ${zone}`;
      assert.equal(read(value), ms, what);
    }
  }
});

Deno.test("retryAfter counts a date from the response's own, whatever this machine's clock says", () => {
  const at = "Fri, 20 Nov 2026 18:07:30 GMT";
  assert.equal(read(at, "Fri, 20 Nov 2026 18:07:00 GMT"), 30_000);
  assert.equal(read(at, "Friday, 20-Nov-26 18:07:00 GMT"), 30_000);
  assert.equal(read(at, "Fri, 20 Nov 2026 18:08:00 GMT"), 0);
  assert.equal(read(at, "yesterday"), 450_000);
  assert.equal(read("7", "Fri, 20 Nov 2026 18:07:00 GMT"), 7_000);
});

/** Of a response with these fields. */
function read(after: string, date?: string): number | undefined {
  const fields: Record<string, string | undefined> = {
    "retry-after": after,
    date,
  };
  return retryAfter({ header: (name) => fields[name] }, NOW);
}

/** This machine stands in another time zone until the scope ends. */
function inZone(zone: string): Disposable {
  const before = Deno.env.get("TZ");
  Deno.env.set("TZ", zone);
  return {
    [Symbol.dispose]() {
      if (before === undefined) Deno.env.delete("TZ");
      else Deno.env.set("TZ", before);
    },
  };
}
