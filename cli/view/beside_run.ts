import { untilStopped } from "../../lib/base/process/signals.ts";
import type { Listener } from "../../lib/run.ts";
import type { Console } from "../terminal/console.ts";
import type { ViewerThreadMessage } from "./viewer_worker.ts";
import { systemEnvironment } from "../inputs/environment.ts";

/** The viewer beside a run. */
interface ViewerBesideRun extends Listener {
  /** Serves until this process is asked to stop. */
  untilStopped(): Promise<void>;
  [Symbol.dispose](): void;
}

/** Starts it on a thread of its own. What goes wrong with it is said, and ends no run. */
export async function viewerBesideRun(
  storeDir: string,
  console: Console,
): Promise<ViewerBesideRun> {
  const thread = new Worker(new URL("./viewer_worker.ts", import.meta.url), {
    type: "module",
    name: "viewer",
  });
  const started = Promise.withResolvers<void>();
  let url: string | undefined;
  const take = (message: ViewerThreadMessage) => {
    url = "url" in message ? message.url : undefined;
    if ("error" in message) {
      console.err(
        `bench: warning: no viewer beside the run: ${message.error}\n`,
      );
    }
    started.resolve();
  };
  thread.onmessage = ({ data }) => take(data);
  thread.onerror = (event) => {
    event.preventDefault();
    take({ error: event.message });
  };
  thread.postMessage({ storeDir });
  await started.promise;
  return {
    /** Shows the page of a run that is stored. */
    start({ facts: { id }, writer: { dir } }) {
      if (url === undefined || dir === undefined) return;
      const page = `${url}runs/${encodeURIComponent(id)}`;
      console.err(`view ${page}\n`);
      openBrowser(page);
    },
    async untilStopped() {
      if (url === undefined) return;
      console.err("The viewer goes on serving the run; Ctrl-C to stop\n");
      await untilStopped();
    },
    [Symbol.dispose]: () => thread.terminate(),
  };
}

/** The program that opens an address on each system. */
const OPENERS: Readonly<Partial<Record<typeof Deno.build.os, string[]>>> = {
  darwin: ["open"],
  windows: ["cmd", "/c", "start", ""],
};

/**
 * Opens an address in the user's browser: `BROWSER`, else what the system opens
 * addresses with. A machine without any has the address in what is printed.
 */
function openBrowser(url: string): void {
  const { env } = systemEnvironment;
  const own = env("BROWSER");
  const [program, ...args] = own
    ? [own]
    : OPENERS[Deno.build.os] ?? ["xdg-open"];
  try {
    new Deno.Command(program!, {
      args: [...args, url],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().unref();
  } catch {
    // There is none.
  }
}
