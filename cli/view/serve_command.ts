import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { isLoopback } from "../../lib/base/values/loopback.ts";
import { absolutePath } from "../../lib/base/values/paths.ts";
import { giveUpAllBut } from "../../lib/base/process/give_up.ts";
import { untilStopped } from "../../lib/base/process/signals.ts";
import type { Console } from "../terminal/console.ts";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { listenAddress, LOOPBACK } from "../options/listen_address.ts";
import { statOf } from "../inputs/stat.ts";
import { storeDirectory } from "../options/store.ts";
import { startOnFreePort, VIEWER_PORT } from "./free_port.ts";
import type { FlagsOf } from "../options/option.ts";
import type { SERVE } from "./view_options.ts";

/**
 * Serves the stored runs until it is interrupted. Returns the exit code.
 */
export async function serveCommand(
  flags: FlagsOf<typeof SERVE>,
  console: Console,
): Promise<number> {
  try {
    const address = listenAddress(
      flags.addr ?? `${LOOPBACK}:${VIEWER_PORT}`,
    );
    if (!isLoopback(address.hostname) && !flags.allowRemote) {
      throw new Refused(
        `\`${address.hostname}\` may be reached from other machines, and every stored request and response with it`,
        "add --allow-remote if that is meant",
      );
    }
    const storeDir = storeDirectory(flags.store);
    const store = statOf(storeDir);
    // One that does not exist yet is empty; a file will never be one.
    if (store && !store.isDirectory) {
      throw new Refused(
        `the store \`${storeDir}\` is a file, not a directory of runs`,
        "name another store with --store",
      );
    }
    if (!store) {
      console.err(
        `note: there is no store \`${storeDir}\` yet: its runs are shown once it is made\n`,
      );
    }
    // A port that was asked for must be free; the default one may move.
    const viewer = startOnFreePort(
      storeDir,
      address.hostname,
      address.port,
      flags.addr !== undefined,
    );
    // The reader of the line may send a signal at once.
    const stopped = untilStopped();
    console.print(`${viewer.url}  (runs in ${storeDir}; Ctrl-C to stop)\n`);
    if (!isLoopback(address.hostname)) {
      console.err(
        "bench: warning: other machines may read every stored request and response here\n",
      );
    }
    // It listens again when there was no descriptor left for a client.
    if (!isDevice(storeDir)) giveUpAllBut(["read", "net"]);
    viewer.readAhead();
    void viewer.resumed.then(() =>
      console.err(
        "bench: warning: no open file was left for one more client: connections were closed, and it serves again (`ulimit -n` allows more)\n",
      )
    );
    await Promise.race([stopped, viewer.finished]);
    await viewer.close();
    return 0;
  } catch (error) {
    throw refusalToListen(error, flags);
  }
}

function refusalToListen(
  error: unknown,
  flags: FlagsOf<typeof SERVE>,
): unknown {
  if (error instanceof Deno.errors.AddrInUse) {
    return new Refused(
      `\`${flags.addr ?? `${LOOPBACK}:${VIEWER_PORT}`}\` is taken`,
      "choose another one with --addr",
    );
  }
  if (error instanceof Deno.errors.Http) {
    return new Refused(
      `the viewer cannot accept connections any more: ${error.message}`,
      "start it again, with more open files (`ulimit -n`)",
    );
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return new Refused(
      `\`${flags.addr}\` is not an address of this machine`,
    );
  }
  return error;
}

/** Whether reading it takes every permission, as for a store in /dev/shm. */
function isDevice(path: string): boolean {
  // A store may be made while it is served.
  const real = ifPossible(() => Deno.realPathSync(path), absolutePath(path));
  return /^\/(?:dev|proc|sys)\//.test(`${real}/`);
}
