import type { StepResponse } from "../../lib/model/result/response.ts";
import type { Adapter, AttemptContext } from "../../lib/steps/protocol.ts";

/** One attempt, as a promise of its response. */
export function attempted(
  adapter: Pick<Adapter, "attempt">,
  context: AttemptContext,
): Promise<StepResponse> {
  return new Promise((response, error) => {
    adapter.attempt(context, { response, error });
  });
}
