import { deepStrictEqual, equal, ok, rejects } from "node:assert/strict";
import { prepareRun, runFlow, type RunMeta, Stop } from "../../mod.ts";
import type { AgentSeries } from "../../lib/model/result/agent.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { READING } from "../support/agent_reading.ts";
import { answer } from "../support/answers.ts";
import { recordingServer } from "../support/recording_server.ts";

const FLOW = `flow: broken
profile: { mode: load, vus: 1, hold: 1h }
steps:
  - { id: pause, wait: 17ms }
`;

/** Ends the run as a mistake in the engine would, once `due` says so. */
function faultyClock(due: () => boolean): typeof systemClock {
  return {
    ...systemClock,
    sleep(ms, signal) {
      if (ms === 17 && due()) throw new TypeError("a fault of bench");
      return systemClock.sleep(ms, signal);
    },
  };
}

Deno.test("fault: what the agent told before the engine broke is stored like at any other end", async () => {
  await using agent = recordingServer(() => answer(200, READING));
  const storeDir = await Deno.makeTempDir({ prefix: "bench-test-" });
  const file = (name: string, text: string) => ({
    file: name,
    bytes: new TextEncoder().encode(text),
    directory: ".",
    form: "yaml" as const,
  });
  try {
    const prepared = await prepareRun(
      file("flow.yaml", FLOW),
      file(
        "target.yaml",
        `name: t\nbase_urls: [http://127.0.0.1:9]\nagent_addr: ${agent.host}\n`,
      ),
      { env: () => undefined, readBytes: () => new Uint8Array() },
    );
    const running = runFlow(prepared, {
      seed: 1,
      storeDir,
      tls: { caCerts: [], insecure: false },
      workers: 1,
      // The second question says that the first answer was read.
      clock: faultyClock(() => agent.arrivals.length > 1),
      chance: () => 0.5,
      stop: new Stop(),
      signal: () => undefined,
      onProgress: () => {},
      notes: ["said before"],
    });
    await rejects(running, /a fault of bench/);
    const [run] = [...Deno.readDirSync(storeDir)];
    const read = (name: string) =>
      JSON.parse(Deno.readTextFileSync(`${storeDir}/${run!.name}/${name}`));
    const meta = read("meta.json") as RunMeta;
    deepStrictEqual([meta.status, meta.exit_code, meta.agent_attached], [
      "errored",
      3,
      true,
    ]);
    ok(meta.notes.includes("said before"));
    const series = read("agent.json") as AgentSeries;
    equal(series.addr, agent.host);
    const [{ t_ms: _, ...reading } = { t_ms: 0 }] = series.samples;
    deepStrictEqual(reading, READING);
  } finally {
    await Deno.remove(storeDir, { recursive: true });
  }
});
