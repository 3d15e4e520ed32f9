import type {
  RunEnding,
  RunFacts,
} from "../../../../lib/results/report/summary.ts";

/** A load run of one step. */
export const FACTS: RunFacts = {
  id: "20261120T180211Z-checkout-7f3a01",
  flow: "checkout",
  flowFile: "flows/checkout.yaml",
  irSha256: "0".repeat(64),
  target: "staging",
  mode: "load",
  seed: 1,
  vus: 20,
  benchVersion: "0.1.0",
  startedAt: Date.UTC(2026, 10, 20, 18, 2, 11),
  steps: [{ id: "login", kind: "call" }],
};

/** It ended after 62 seconds. */
export const ENDING: RunEnding = {
  status: "finished",
  durationMs: 62_000,
};
