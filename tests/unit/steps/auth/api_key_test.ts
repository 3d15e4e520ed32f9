import { deepStrictEqual } from "node:assert/strict";
import { apiKey } from "../../../../lib/steps/auth/api_key.ts";
import { apply } from "../../../contract/auth_contract.ts";
import { recordingTools, scopeOf } from "./recording_tools.ts";

Deno.test("api_key: `in: query` sends a parameter and no field", async () => {
  const authorizer = apiKey.prepare({
    name: "key",
    value: "{{ env.KEY }}",
    in: "query",
  }, recordingTools({ KEY: "k 1" }));
  deepStrictEqual(await apply(authorizer, scopeOf()), {
    headers: [],
    query: [["key", "k 1"]],
  });
});
