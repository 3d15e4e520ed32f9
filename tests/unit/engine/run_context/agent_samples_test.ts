import type { Mode } from "../../../../lib/model/mode.ts";
import { deepStrictEqual, match } from "node:assert/strict";
import type { RunContext } from "../../../../lib/engine/run_context/run_context.ts";
import { startAgentSamples } from "../../../../lib/engine/run_context/agent_samples.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

/** A run against a target with an agent where nothing listens. */
function run(mode: Mode, agentToken?: string) {
  return {
    prepared: { target: { agent_addr: "127.0.0.1:1" } },
    options: { clock: new ManualClock(), agentToken },
    plan: { mode },
    startedAt: 0,
  } as unknown as RunContext;
}

Deno.test("startAgentSamples: functional modes ask no agent", () => {
  for (const mode of ["integration", "system"] as const) {
    deepStrictEqual(startAgentSamples(run(mode)).end(), { notes: [] });
  }
});

Deno.test("startAgentSamples: a token no header can carry is a note, not a failure", () => {
  const { series, notes } = startAgentSamples(run("load", "a\r\nb")).end();
  deepStrictEqual([series, notes.length], [undefined, 1]);
  match(notes[0]!, /BENCH_AGENT_TOKEN/);
});

Deno.test("startAgentSamples: a run that ends before any response says so", () => {
  const { series, notes } = startAgentSamples(run("soak")).end();
  deepStrictEqual([series, notes], [undefined, [
    "the agent at 127.0.0.1:1 gave no reading",
  ]]);
});
