import { startViewer, type Viewer } from "../../viewer/server.ts";

/** Where a viewer listens when nothing else is asked for. */
export const VIEWER_PORT = 7878;
/** Ports tried after that one. */
const NEXT = 20;

/**
 * Starts a viewer on the port, or one of the next where it may move.
 *
 * @throws {Deno.errors.AddrInUse} when none of them is free
 */
export function startOnFreePort(
  storeDir: string,
  hostname: string,
  port: number,
  fixed = false,
): Viewer {
  for (let next = port;; next++) {
    try {
      return startViewer({ storeDir, hostname, port: next });
    } catch (error) {
      const taken = error instanceof Deno.errors.AddrInUse;
      if (!taken || fixed || next >= port + NEXT) throw error;
    }
  }
}
