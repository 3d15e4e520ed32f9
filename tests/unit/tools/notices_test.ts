import { equal } from "node:assert/strict";
import { licenseOf } from "../../../tools/notices.ts";

Deno.test("licenseOf reads what packages name as their licence, today and of old", () => {
  equal(licenseOf({ license: "MIT" }), "MIT");
  const mit = { type: "MIT", url: "https://example.com/mit" };
  equal(licenseOf({ license: mit }), "MIT");
  equal(licenseOf({ licenses: [mit] }), "MIT");
  equal(licenseOf({ licenses: [mit, { type: "ISC" }] }), "(MIT OR ISC)");
});

Deno.test("licenseOf: none is none", () => {
  equal(licenseOf({}), undefined);
  equal(licenseOf({ licenses: [] }), undefined);
  equal(licenseOf({ licenses: [{ url: "x" }] }), undefined);
  equal(licenseOf({ license: null }), undefined);
});
