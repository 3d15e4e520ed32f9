import { bitsOf } from "../../base/time/random.ts";
import { isFunctional } from "../../model/mode.ts";
import { CONTRACT_SAMPLE } from "../../model/result/contract.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { ContractCheck } from "../../openapi/check.ts";
import type { Contract } from "../../openapi/contract.ts";
import type { RunPlan } from "../plan/plan.ts";
import { Rota } from "../plan/turns.ts";
import type { StepContract } from "./compiled_step.ts";

/** Iterations of a flow whose responses are all checked. */
const FIRST = 10;
/** A longer body is checked more seldom, as checking it takes longer. */
const USUAL_BYTES = 2048;

/** The description of the API, made ready on one thread. */
export interface OpenContract {
  readonly step: (call: string, index: number) => StepContract;
  /** Compiles what the steps need. @throws {Error} for a schema that cannot be used */
  prepare(): void;
}

/**
 * Makes a description ready.
 *
 * @param base the path of the first base URL
 * @param once of steps that are carried out once, whose responses are all checked
 */
export function openContract(
  contract: Contract,
  { mode, seed, turns }: Pick<RunPlan, "mode" | "seed" | "turns">,
  base: string,
  once = false,
): OpenContract {
  const check = new ContractCheck(contract, base);
  const every = isFunctional(mode);
  const rota = new Rota(turns);
  const calls: string[] = [];
  return {
    step(call, index) {
      calls.push(call);
      if (every) {
        const fails = contract.mode === "fail";
        return { fails, hold: (response) => check.hold(response) };
      }
      const drawn = once ? () => true : sampler(seed, index);
      return {
        // Rates of iterations would be those of the sample.
        fails: false,
        hold: (response, iteration) =>
          drawn(rota.numberOf(iteration), response.bytesReceived)
            ? check.hold(response)
            : undefined,
      };
    },
    prepare: () => check.prepare(calls),
  };
}

/**
 * Decides which responses of a step are checked, by the number of the iteration
 * among those of its flow: the same for the same seed, whatever thread or machine
 * has it.
 */
export function sampler(
  seed: number,
  step: number,
): (iteration: number, bytes: StepResponse["bytesReceived"]) => boolean {
  const own = Math.imul(
    bitsOf(seed) ^ Math.imul(step + 1, 0x9e3779b9),
    0x85ebca6b,
  );
  return (iteration, bytes) => {
    if (iteration < FIRST) return true;
    let mixed = own ^ Math.imul(iteration, 0xc2b2ae35);
    mixed = Math.imul(mixed ^ mixed >>> 16, 0x7feb352d);
    mixed = Math.imul(mixed ^ mixed >>> 15, 0x846ca68b);
    const rank = ((mixed ^ mixed >>> 16) >>> 0) / 2 ** 32;
    return rank * Math.max(1, bytes / USUAL_BYTES) < CONTRACT_SAMPLE;
  };
}
