/** Signals that ask a command to stop; Windows has no SIGTERM to listen for. */
export const STOP_SIGNALS: readonly ("SIGINT" | "SIGTERM")[] =
  Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

/** Resolves when the command is asked to stop. */
export async function untilStopped(): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const stop = () => stopped.resolve();
  STOP_SIGNALS.forEach((signal) => Deno.addSignalListener(signal, stop));
  await stopped.promise;
  STOP_SIGNALS.forEach((signal) => Deno.removeSignalListener(signal, stop));
}
