import { osReason } from "../../base/text/os_reason.ts";

/** The run store cannot be written or read. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  constructor(message: string, readonly hint?: string, cause?: unknown) {
    super(message, { cause });
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
