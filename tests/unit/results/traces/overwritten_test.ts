import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { runFlow } from "../../../../lib/run.ts";
import type { Trace } from "../../../../lib/model/result/trace.ts";
import {
  documentInput,
  preparedFor,
  unwatched,
} from "../../../support/run_in_process.ts";

Deno.test("traces of a load run show the last response of a connection; one that was overwritten is said to be", async () => {
  // The last iterations are among the slowest, and few of them in the sample.
  let requests = 0;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async ({ url }) => {
      if (++requests > 780) await new Promise((done) => setTimeout(done, 20));
      return new Response(new URL(url).pathname);
    },
  );
  const storeDir = await Deno.makeTempDir({ prefix: "bench-test-" });
  try {
    const prepared = await preparedFor(
      documentInput({
        flow: "two",
        profile: { mode: "load", vus: 2, iterations: 400 },
        steps: ["/first", "/second"].map((path) => ({
          id: path.slice(1),
          call: `GET ${path}`,
        })),
      }),
      `http://127.0.0.1:${server.addr.port}`,
    );
    const { meta } = await runFlow(prepared, { ...unwatched(), storeDir });
    strictEqual(meta.iterations.passed, 400);
    const file = join(storeDir, meta.id, "traces.json");
    const { traces } = JSON.parse(await Deno.readTextFile(file)) as {
      readonly traces: readonly Trace[];
    };
    const bodies = new Set(
      traces.map(({ spans }) =>
        spans.filter(({ name }) => name === "http_call").map((call) =>
          call.attributes?.["response_overwritten"]
            ? "overwritten"
            : call.response?.body
        ).join(" ")
      ),
    );
    deepStrictEqual([...bodies].toSorted(), [
      "/first /second",
      "overwritten /second",
    ]);
  } finally {
    await Deno.remove(storeDir, { recursive: true });
  }
});
