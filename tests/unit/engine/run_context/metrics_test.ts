import { equal, match } from "node:assert/strict";
import { offerMetrics } from "../../../../lib/engine/run_context/metrics_server.ts";
import { runFlow, Stop } from "../../../../lib/run.ts";
import {
  documentInput,
  preparedFor,
  unwatched,
} from "../../../support/run_in_process.ts";
import { workspace } from "../../../support/bench.ts";
import { recordingServer } from "../../../support/recording_server.ts";

Deno.test("runFlow: figures are offered while the run lasts, under the names that the author gave", async () => {
  await using server = recordingServer();
  using folder = workspace({});
  const flow = documentInput({
    flow: "f",
    profile: { mode: "load", vus: 2, hold: "1m" },
    steps: [
      {
        id: "geheim-step",
        call: "GET /x",
        headers: { "X-Key": "{{ env.KEY }}" },
      },
      { id: "pause", wait: "20ms" },
    ],
  });
  const prepared = await preparedFor(flow, server.url, {
    env: () => "geheim-step",
  });
  const stop = new Stop();
  let url = "";
  let text = "";
  const { meta } = await runFlow(
    prepared,
    {
      ...unwatched(),
      storeDir: folder.path,
      stop,
      listeners: [
        offerMetrics({
          hostname: "127.0.0.1",
          port: 0,
          onListening: (address) => url = `http://${address}/metrics`,
        }),
        // Called once the figures of the first second are there.
        {
          async second() {
            if (text !== "") return;
            using client = Deno.createHttpClient({ allowHost: true });
            const ask = (named: Record<string, string>, method = "GET") =>
              fetch(url, {
                client,
                method,
                headers: { connection: "close", ...named },
              });
            text = await (await ask({})).text();
            const rebound = await ask({ host: "attacker.example" });
            equal(rebound.status, 421);
            equal(
              await rebound.text(),
              "`attacker.example` is not this server\n",
            );
            const posted = await ask({}, "POST");
            equal(posted.status, 405);
            equal(posted.headers.get("allow"), "GET, HEAD");
            await posted.body?.cancel();
            stop.hard("interrupted", "seen");
          },
        },
      ],
    },
  );
  match(
    text,
    /^bench_requests_total\{step="geheim-step",outcome="passed"\} [1-9]\d*$/m,
  );
  match(text, new RegExp(`^bench_run_info\\{id="${meta.id}",flow="f",`, "m"));
});
