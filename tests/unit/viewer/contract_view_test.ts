import { equal, match, ok } from "node:assert/strict";
import type { ContractSummary } from "../../../lib/model/result/contract.ts";
import { contractView } from "../../../viewer/page/contract_view.tsx";
import { metaOf } from "../../support/viewer_fixture.ts";

const CONTRACT: ContractSummary = {
  description: "shop.yaml",
  contract: "fail",
  sampled: 1,
  operations: [{ operation: "GET /items/{id}", checked: 3, broken: 1 }],
  violations: [{
    operation: "GET /items/{id}",
    status: 200,
    rule: "schema",
    schema: "Item/properties/name/type",
    message: "/name must be <string>",
    actual: { type: "integer", text: "7" },
    count: 1,
    steps: ["item", "again"],
    trace_id: "0123456789abcdef0123456789abcdef",
  }],
  other_violations: 0,
  unreached: ["POST /orders"],
  undescribed: ["login"],
};

/** The block's markup. */
function blockOf(contract: ContractSummary | undefined, link = true) {
  return contractView(metaOf(contract ? { contract } : {}), link)?.text;
}

Deno.test("contractView() has each violation with its place and a trace, and what was not reached", () => {
  const text = blockOf(CONTRACT)!;
  match(text, /not as described/);
  match(text, /Item\/properties\/name\/type/);
  match(text, /\/name must be &lt;string&gt;/);
  match(text, /<a href="[^"]*0123456789abcdef[^"]*">item, again<\/a>/);
  match(text, /1 operation not reached<\/summary>.*POST \/orders/s);
  match(text, /requests of login/);
  ok(!blockOf(CONTRACT, false)!.includes("<a "), "a file has no other pages");
});

Deno.test("contractView() says that all is as described, and nothing without a description", () => {
  const { violations: _, ...rest } = CONTRACT;
  const operations = [{ operation: "GET /items/{id}", checked: 3, broken: 0 }];
  const text = blockOf({ ...rest, operations, violations: [] })!;
  match(text, /3 responses checked: all are as described/);
  ok(!text.includes("<table"));
  equal(blockOf(undefined), undefined);
});
