import type { Console } from "../terminal/console.ts";
import { onStopSignal } from "../../lib/base/process/stop_signals.ts";
import { Session } from "./session.ts";

/**
 * `bench rpc`: responds to requests on standard input until that ends, or until it
 * is asked to shut down. Returns the exit code.
 */
export async function rpcCommand(
  _: unknown,
  console: Console,
): Promise<number> {
  // Standard output belongs to the messages.
  const session = new Session({
    ...console,
    out: console.err,
    print: console.err,
  });
  const release = onStopSignal((signal) => session.end(signal));
  try {
    return await session.listen();
  } finally {
    release();
  }
}
