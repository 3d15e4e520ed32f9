import type { PreparedRun } from "../../lib/compile.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { systemChance } from "../../lib/base/time/random.ts";
import { GRACE_MS } from "../../lib/engine/plan/grace.ts";
import {
  type DuelSide,
  runFlow,
  Stop,
  type StoredOutcome,
} from "../../lib/run.ts";
import { agentTokenFor } from "../run/attended_run.ts";
import type { Console } from "../terminal/console.ts";
import { GracefulStop } from "../run/graceful_stop.ts";
import { readTls } from "../options/tls.ts";
import type { Cancellation } from "./cancellation.ts";
import { worldOf } from "./inputs.ts";
import type { CapacityParams, DuelParams } from "./params.ts";

/** Carries out stored runs of one request, several at once or one after the other. */
export function loadRuns(
  params: CapacityParams | DuelParams,
  cancellation: Cancellation,
  console: Console,
): (
  prepared: PreparedRun,
  options: {
    readonly storeDir: string;
    readonly duel?: DuelSide;
  },
) => Promise<StoredOutcome> {
  const { seed, http, workers } = params;
  const { options: tls, notes } = readTls(params, console);
  return async (prepared, options) => {
    const stop = new Stop();
    const stopping = new GracefulStop(stop, systemClock, GRACE_MS);
    const release = cancellation.attach(stopping);
    try {
      return await runFlow(prepared, {
        ...{ ...options, seed, tls, http, notes, stop },
        workers: workers ?? navigator.hardwareConcurrency,
        clock: systemClock,
        chance: systemChance,
        signal: () => stopping.first,
        ...agentTokenFor(prepared, worldOf(params)),
        onProgress: () => {},
      });
    } finally {
      release();
      stopping.release();
    }
  };
}
