import { equal } from "node:assert/strict";
import { formatExtraction } from "../../../../lib/language/flow/extract.ts";

Deno.test("formatExtraction calls a header as people write it, and a cookie as it is", () => {
  for (
    const [name, written] of [
      ["x-request-id", "X-Request-Id"],
      ["location", "Location"],
      ["etag", "ETag"],
    ] as const
  ) {
    equal(formatExtraction({ from: "header", name }), `header.${written}`);
  }
  equal(
    formatExtraction({ from: "header", name: "location", pattern: "id=" }),
    "header.Location matches id=",
  );
  equal(formatExtraction({ from: "cookie", name: "sId" }), "cookie.sId");
});
