import type { Mode } from "../../../../lib/model/mode.ts";
import { deepStrictEqual, match } from "node:assert/strict";
import type { Target } from "../../../../lib/language/ir.ts";
import { startAgentSamples } from "../../../../lib/engine/run_context/agent_samples.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

/** Of a run against a target with an agent where nothing listens. */
function samples(mode: Mode, agentToken?: string) {
  const target = { agent_addr: "127.0.0.1:1" } as Target;
  const options = { clock: new ManualClock(), agentToken };
  return startAgentSamples({ target }, { mode }, options, 0).end();
}

Deno.test("startAgentSamples: functional modes ask no agent", () => {
  for (const mode of ["integration", "system"] as const) {
    deepStrictEqual(samples(mode), { notes: [] });
  }
});

Deno.test("startAgentSamples: a token no header can carry is a note, not a failure", () => {
  const { series, notes } = samples("load", "a\r\nb");
  deepStrictEqual([series, notes.length], [undefined, 1]);
  match(notes[0]!, /BENCH_AGENT_TOKEN/);
});

Deno.test("startAgentSamples: a run that ends before any response says so", () => {
  const { series, notes } = samples("soak");
  deepStrictEqual([series, notes], [undefined, [
    "the agent at 127.0.0.1:1 gave no reading",
  ]]);
});
