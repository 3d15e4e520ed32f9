import { strictEqual, throws } from "node:assert/strict";
import { bearer } from "../../../../lib/steps/auth/bearer.ts";
import { ResolutionError } from "../../../../lib/language/expressions/template.ts";
import { recordingTools, scopeOf } from "./recording_tools.ts";

Deno.test("bearer: the token may be an extracted variable, looked up each time", () => {
  const { headers } = bearer.prepare(
    { token: "{{ token }}" },
    recordingTools(),
  );
  const [, value] = headers![0]!;
  strictEqual(value.render(scopeOf("first")), "Bearer first");
  strictEqual(value.render(scopeOf("second")), "Bearer second");
});

Deno.test("bearer: an env token is text before the run", () => {
  const { headers } = bearer.prepare(
    { token: "{{ env.TOKEN }}" },
    recordingTools({ TOKEN: "abc" }),
  );
  strictEqual(headers![0]![1].constant, "Bearer abc");
});

Deno.test("bearer: a variable nothing extracted yet is a resolution error", () => {
  const { headers } = bearer.prepare(
    { token: "{{ token }}" },
    recordingTools(),
  );
  throws(() => headers![0]![1].render(scopeOf()), ResolutionError);
});
