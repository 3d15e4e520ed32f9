import { exitCodeOf } from "../../lib/results/report/exit_code.ts";
import { renderReplay } from "../../lib/results/formats/replay_text.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";
import type { Console } from "../terminal/console.ts";
import { failWith, refuseRequest } from "../terminal/fail.ts";
import type { ReplayFlags } from "./judging_options.ts";
import { replay } from "./replay.ts";
import { runOfStore } from "../options/run_of_store.ts";
import { readTls } from "../options/tls.ts";
import { systemWorld } from "../inputs/world.ts";

/**
 * Carries one stored iteration out once more, and shows where it parts from what was
 * stored. Returns the exit code of the iteration as it is now.
 */
export async function replayCommand(
  run: string,
  traceId: string | undefined,
  flags: ReplayFlags,
  console: Console,
): Promise<number> {
  try {
    const tls = readTls(flags, console);
    const replayed = await replay({
      dir: runOfStore(run, flags.store),
      ...(traceId !== undefined && { traceId }),
      ...(flags.target !== undefined && { target: flags.target }),
      tls: tls.options,
      notes: tls.notes,
      http: flags.http,
      world: systemWorld,
    });
    const { before, after, difference, meta } = replayed;
    if (flags.json) {
      console.out(`${JSON.stringify(replayed, null, 2)}\n`);
    } else {
      const { outColor: color, width } = console;
      console.print(renderReplay(before, after, difference, { color, width }));
    }
    return exitCodeOf(meta);
  } catch (error) {
    if (error instanceof StoreError) {
      return refuseRequest(console, error.message, error.hint);
    }
    return failWith(error, console, "text");
  }
}
