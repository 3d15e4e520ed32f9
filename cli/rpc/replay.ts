import { ResponseError } from "vscode-jsonrpc";
import { StoreError } from "../../lib/results/store/store_error.ts";
import type { Console } from "../terminal/console.ts";
import { replay, type Replayed } from "../judge/replay.ts";
import { runOfStore } from "../options/run_of_store.ts";
import { storeDirectory } from "../options/store_directory.ts";
import { readTls } from "../options/tls.ts";
import { CODES } from "./failures.ts";
import { worldOf } from "./inputs.ts";
import type { ReplayParams } from "./params.ts";

/** `replay`: one stored iteration, and the same once more. */
export async function replayRequest(
  params: ReplayParams,
  console: Console,
): Promise<Replayed> {
  const { run, trace, target, store, http } = params;
  const tls = readTls(params, console);
  const world = worldOf(params);
  try {
    return await replay({
      dir: runOfStore(run, storeDirectory(store, world.env)),
      ...(trace !== undefined && { traceId: trace }),
      ...(target !== undefined && { target }),
      tls: tls.options,
      notes: tls.notes,
      http,
      world,
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Nothing was sent: what is stored cannot be read.
    const { message, hint } = error;
    throw new ResponseError(CODES.refused, message, { hint: hint ?? null });
  }
}
