import type { Failure } from "../../model/result/failure.ts";

/** Why there is no connection, or no whole response. */
export class WireError extends Error {
  override readonly name = "WireError";

  /** @param code one of the wire codes of `Failure`, such as `refused` */
  constructor(readonly code: string, message: string) {
    super(message);
  }

  get failure(): Failure {
    return { code: this.code, message: this.message };
  }
}

/**
 * The server did not speak HTTP/1.1 (RFC 9112).
 *
 * @param reason a short fixed phrase, such as `bad chunk size`
 * @param detail what was there instead
 */
export function protocolError(reason: string, detail?: string): WireError {
  return new WireError(
    "protocol",
    `protocol: ${reason}${detail === undefined ? "" : `: ${detail}`}`,
  );
}
