import { BenchError } from "../../../lib/base/errors/bench_error.ts";
import { EXIT } from "../../../lib/base/errors/exit.ts";

/** What was given to `bench import` cannot be made into a flow. */
export class ImportError extends BenchError {
  override readonly name = "ImportError";
  constructor(message: string, hint?: string) {
    super(message, { hint, exitCode: EXIT.refused });
  }
}
