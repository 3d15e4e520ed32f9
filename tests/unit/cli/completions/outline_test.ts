import { equal, throws } from "node:assert/strict";
import { filled } from "../../../../cli/completions/completions_command.ts";

Deno.test("filled() puts a text into every slot, and reports slots that do not match", () => {
  equal(filled("a @b@ @b@ $@ x@y", { b: "$&" }), "a $& $& $@ x@y");
  throws(() => filled("@a@", {}), /@a@/);
  throws(() => filled("none", { a: "" }), /No slot for a/);
});
