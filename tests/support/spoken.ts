import type { HttpVersion } from "../../lib/model/result/response.ts";
import { http2Front } from "./http2_front.ts";

/** A server of a test as a run reaches it in one version of HTTP. */
export interface Spoken extends AsyncDisposable {
  readonly url: string;
  /** What the command reads. */
  readonly args: readonly string[];
}

/** The server itself for HTTP/1.1, and a front before it for HTTP/2. */
export async function spoken(
  server: { readonly url: string },
  version: HttpVersion,
): Promise<Spoken> {
  const args = ["--http", version];
  if (version === "1.1") {
    return { url: server.url, args, async [Symbol.asyncDispose]() {} };
  }
  const front = await http2Front(server.url);
  return {
    url: front.url,
    args,
    [Symbol.asyncDispose]: () => front[Symbol.asyncDispose](),
  };
}
