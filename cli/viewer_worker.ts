/// <reference lib="deno.worker" />
import { startOnFreePort, VIEWER_HOST, VIEWER_PORT } from "./free_port.ts";

/*
 * The viewer on a thread of its own, so that pages that are looked at do not
 * hold up the run beside it. It receives the store and answers with its address.
 */

/** What the thread answers. */
export type ViewerAnswer = { readonly url: string } | {
  readonly error: string;
};

self.onmessage = ({ data }: MessageEvent<{ readonly storeDir: string }>) => {
  const answer = (message: ViewerAnswer) => self.postMessage(message);
  try {
    const { url } = startOnFreePort(data.storeDir, VIEWER_HOST, VIEWER_PORT);
    answer({ url });
  } catch (error) {
    answer({ error: (error as Error).message });
  }
};
