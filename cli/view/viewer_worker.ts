/// <reference lib="deno.worker" />
import { LOOPBACK } from "../options/listen_address.ts";
import { startOnFreePort, VIEWER_PORT } from "./free_port.ts";

/*
 * The viewer on a thread of its own, so that pages that are looked at do not
 * hold up the run beside it. It receives the store and posts its address.
 */

/** The messages of the thread. */
export type ViewerThreadMessage = { readonly url: string } | {
  readonly error: string;
};

self.onmessage = ({ data }: MessageEvent<{ readonly storeDir: string }>) => {
  const post = (message: ViewerThreadMessage) => self.postMessage(message);
  try {
    const { url, finished } = startOnFreePort(
      data.storeDir,
      LOOPBACK,
      VIEWER_PORT,
    );
    post({ url });
    finished.catch((error: Error) => post({ error: error.message }));
  } catch (error) {
    post({ error: (error as Error).message });
  }
};
