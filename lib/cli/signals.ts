/** Signals that ask a command to stop; Windows has no SIGTERM to listen for. */
export const STOP_SIGNALS: readonly ("SIGINT" | "SIGTERM")[] =
  Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
