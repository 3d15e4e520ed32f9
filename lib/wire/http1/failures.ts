import type { Failure } from "../../model/result/failure.ts";
import { brokenBy } from "../net/connect_error.ts";

/** How far an exchange has come. */
export interface Progress {
  /** Bytes of the request, and how many of them were written. */
  readonly size: number;
  readonly sent: number;
  readonly received: number;
  /** The head of the response is whole. */
  readonly inBody: boolean;
  /** How long the connection had been idle before; NaN for its first exchange. */
  readonly idleMs: number;
}

/** The connection ended before the response did. */
export function connectionLost(
  how: "closed" | "reset",
  { size, sent, received, idleMs }: Progress,
  error?: unknown,
): Failure {
  const came = received === 0
    ? `before any byte of the response came; ${sent} of ${size} bytes of the request were sent${
      idle(idleMs)
    }`
    : `after ${received} bytes of an incomplete response`;
  const why = error instanceof Error && how === "reset" &&
      !(error instanceof Deno.errors.ConnectionReset)
    ? ` (${brokenBy(error)})`
    : "";
  return {
    code: "reset",
    message: `The server ${how} the connection ${came}${why}`,
  };
}

/** A server that closes an idle connection does not see the request coming. */
function idle(idleMs: number): string {
  if (Number.isNaN(idleMs)) return "";
  const ms = Math.round(idleMs);
  return `, on a connection that had been idle for ${
    ms === 0 ? "less than 1" : ms
  } ms`;
}

/** What was under way when the time was up. */
export function doing({ size, sent, received, inBody }: Progress): string {
  if (sent < size) return `writing the request (${sent} of ${size} bytes)`;
  if (received === 0) return "waiting for the first byte";
  return inBody
    ? `reading the body (${received} bytes came)`
    : `reading the head (${received} bytes came)`;
}
