import { deepStrictEqual, equal, match, ok, rejects } from "node:assert/strict";
import {
  prepareRun,
  runFlow,
  type RunMeta,
  type RunOptions,
} from "../../mod.ts";
import type { AgentSeries } from "../../lib/model/result/agent.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { READING } from "../support/agent_reading.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { unwatched, yamlInput } from "../support/run_in_process.ts";

const FLOW = `flow: broken
profile: { mode: load, vus: 1, hold: 1h }
steps:
  - { id: pause, wait: 17ms }
  - { id: ask, call: "GET /{{ env.KEY }}" }
`;
const SECRET = "hunter2-swordfish";

/** The system's clock, but for what a pause of the flow does. */
function clockWith(onPause: () => void): typeof systemClock {
  return {
    now: systemClock.now,
    wall: systemClock.wall,
    sleep(ms, signal) {
      if (ms === 17) onPause();
      // A heartbeat need not be waited for.
      return systemClock.sleep(ms === 1_000 ? 20 : ms, signal);
    },
  };
}

interface Broken {
  readonly meta: RunMeta;
  read(name: string): unknown;
}

/** Runs the flow until it breaks with `message`; the run directory after it. */
async function broken(
  message: RegExp,
  options: Partial<RunOptions>,
  look: (run: Broken) => void,
  target = "",
): Promise<void> {
  const storeDir = await Deno.makeTempDir({ prefix: "bench-test-" });
  try {
    const prepared = await prepareRun(
      yamlInput("flow.yaml", FLOW),
      yamlInput(
        "target.yaml",
        `name: t\nbase_urls: [http://127.0.0.1:9]\n${target}`,
      ),
      { env: () => SECRET, readBytes: () => new Uint8Array() },
    );
    const running = runFlow(
      prepared,
      {
        ...unwatched(),
        storeDir,
        chance: () => 0.5,
        notes: ["said before"],
        ...options,
      },
    );
    await rejects(running, message);
    const [run] = [...Deno.readDirSync(storeDir)];
    const read = (name: string) =>
      JSON.parse(Deno.readTextFileSync(`${storeDir}/${run!.name}/${name}`));
    const meta = read("meta.json") as RunMeta;
    deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
    match(meta.abort_reason ?? "", message);
    ok(meta.notes.includes("said before"));
    look({ meta, read });
  } finally {
    await Deno.remove(storeDir, { recursive: true });
  }
}

Deno.test("fault: what the agent reported before the engine broke is stored like at any other end", async () => {
  await using agent = recordingServer(() => rawResponse(200, READING));
  // The second request says that the first response was read.
  const clock = clockWith(() => {
    if (agent.arrivals.length > 1) throw new TypeError("a bug of bench");
  });
  await broken(/a bug of bench/, { clock }, ({ meta, read }) => {
    ok(meta.agent_attached);
    const series = read("agent.json") as AgentSeries;
    equal(series.addr, agent.host);
    const [{ t_ms: _, ...reading } = { t_ms: 0 }] = series.samples;
    deepStrictEqual(reading, READING);
  }, `agent_addr: ${agent.host}\n`);
});

const nowhere: [what: string, fail: () => void][] = [
  ["an error in a callback", () =>
    queueMicrotask(() => {
      throw new TypeError("this is not awaited");
    })],
  [
    "a promise that is not awaited",
    () => void Promise.reject(new TypeError("this is not awaited")),
  ],
];
for (const [what, fail] of nowhere) {
  Deno.test(`fault: ${what} ends the run in order`, async () => {
    let pauses = 0;
    const clock = clockWith(() => {
      if (++pauses === 3) fail();
    });
    await broken(/this is not awaited/, { clock }, () => {});
  });
}

Deno.test("fault: progress that cannot be printed ends the run in order", async () => {
  const second = () => {
    throw new TypeError("a view that breaks");
  };
  const clock = clockWith(() => {});
  await broken(
    /a view that breaks/,
    { clock, listeners: [{ second }] },
    () => {},
  );
});

Deno.test("fault: what breaks the engine is reported without a secret", async () => {
  const clock = clockWith(() => {
    throw new TypeError(`no wait for ${SECRET}`);
  });
  await broken(
    /^(?!.*hunter2).*no wait for \[redacted\]/s,
    { clock },
    () => {},
  );
});
