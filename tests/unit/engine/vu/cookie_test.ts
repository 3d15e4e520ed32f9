import { deepStrictEqual } from "node:assert/strict";
import { runFlow } from "../../../../lib/run.ts";
import {
  documentInput,
  preparedFor,
  unwatched,
} from "../../../support/run_in_process.ts";

Deno.test("extract from cookie: the value the response sets last, by its exact name", async () => {
  const seen: (string | null)[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      seen.push(request.headers.get("x-got"));
      const headers = new Headers();
      headers.append("Set-Cookie", "SID=wrong");
      headers.append("Set-Cookie", "sid=old; Path=/");
      headers.append("Set-Cookie", "sid=a=b c; HttpOnly; Max-Age=5");
      return new Response("{}", { headers });
    },
  );
  const flow = documentInput({
    flow: "cookies",
    steps: [
      { id: "one", call: "GET /", extract: { sid: "cookie.sid" } },
      { id: "two", call: "GET /", headers: { "X-Got": "{{ sid }}" } },
      {
        id: "none",
        call: "GET /",
        extract: { gone: "cookie.gone" },
      },
    ],
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const prepared = await preparedFor(flow, url);
  const { meta } = await runFlow(prepared, unwatched());
  deepStrictEqual(seen, [null, "a=b c", null]);
  deepStrictEqual(meta.failures.map((each) => each.message), [
    "cannot extract `gone`: cookie.gone does not exist",
  ]);
});
