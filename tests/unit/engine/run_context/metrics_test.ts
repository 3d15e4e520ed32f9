import { match, ok } from "node:assert/strict";
import { prepareRun } from "../../../../lib/compile.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { systemChance } from "../../../../lib/base/time/random.ts";
import { runFlow, Stop } from "../../../../lib/run.ts";
import { workspace } from "../../../support/bench.ts";
import { recordingServer } from "../../../support/recording_server.ts";

Deno.test("runFlow: figures are offered while the run lasts, free of secrets", async () => {
  await using server = recordingServer();
  using place = workspace({});
  const document = (value: object) => ({
    file: "f",
    directory: ".",
    form: "document" as const,
    document: { value: JSON.parse(JSON.stringify(value)) },
  });
  const flow = document({
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
  const target = document({ name: "here", base_urls: [server.url] });
  const prepared = await prepareRun(flow, target, {
    env: () => "geheim-step",
    readBytes: () => new Uint8Array(),
  });
  const stop = new Stop();
  let url = "";
  let text = "";
  const { meta } = await runFlow(prepared, {
    seed: 1,
    storeDir: place.path,
    tls: { caCerts: [], insecure: false },
    http: "auto",
    notes: [],
    workers: 1,
    clock: systemClock,
    chance: systemChance,
    stop,
    signal: () => undefined,
    metrics: {
      hostname: "127.0.0.1",
      port: 0,
      onListening: (address) => url = `http://${address}/metrics`,
    },
    // Called once the figures of the first second are there.
    onProgress: async () => {
      if (text !== "") return;
      text = await (await fetch(url, { headers: { connection: "close" } }))
        .text();
      stop.hard("interrupted", "seen");
    },
  });
  match(
    text,
    /^bench_requests_total\{step="\[redacted\]",outcome="passed"\} [1-9]\d*$/m,
  );
  match(text, new RegExp(`^bench_run_info\\{id="${meta.id}",flow="f",`, "m"));
  ok(!text.includes("geheim"), text);
});
