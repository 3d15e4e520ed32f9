import { BenchError } from "../../base/errors/bench_error.ts";
import { osReason } from "../../base/text/os_reason.ts";

/** The run store cannot be written or read. */
export class StoreError extends BenchError {
  override readonly name = "StoreError";
  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { hint, cause });
  }
}

/**
 * `error` from the file system as a StoreError.
 *
 * @param doing what failed, such as "Cannot write `x/meta.json`"
 */
export function storeError(
  doing: string,
  error: unknown,
  hint?: string,
): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`${doing}: ${osReason(error)}`, hint, error);
}
