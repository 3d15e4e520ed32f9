import type { ByteStream } from "./byte_stream.ts";
import type { ProxyOptions } from "./route.ts";
import { WireError } from "./wire_error.ts";

/** Bytes that the head of a proxy's response may have. */
const MOST_HEAD = 16_384;
const END = "\r\n\r\n";

/**
 * Asks a proxy for a tunnel (RFC 9110 section 9.3.6). From then on the stream
 * leads to `authority`.
 *
 * @param authority `host:port`
 * @throws {WireError} `proxy` when it opens none
 */
export async function openTunnel(
  stream: ByteStream,
  { host, port, authorization }: ProxyOptions,
  authority: string,
): Promise<void> {
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...authorization === undefined
      ? []
      : [`Proxy-Authorization: ${authorization}`],
  ];
  let rest = new TextEncoder().encode(lines.join("\r\n") + END);
  while (rest.length > 0) rest = rest.subarray(await stream.write(rest));
  const head = await readHead(stream);
  const refuse = (why: string) =>
    new WireError(
      "proxy",
      `No tunnel to \`${authority}\` through proxy \`${host}:${port}\`: ${why}`,
    );
  if (head === undefined) throw refuse("it closed the connection");
  const [first = ""] = head.split("\r\n", 1);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1];
  if (status === undefined) throw refuse("its response is not HTTP/1.1");
  if (!status.startsWith("2")) throw refuse(`it responded ${first.slice(9)}`);
  // The server sends nothing before this side does.
  if (!head.endsWith(END)) throw refuse("it sent more than its response");
}

async function readHead(stream: ByteStream): Promise<string | undefined> {
  const buffer = new Uint8Array(4_096);
  let head = "";
  while (!head.includes(END) && head.length < MOST_HEAD) {
    const count = await stream.read(buffer);
    if (count === null) return undefined;
    head += String.fromCharCode(...buffer.subarray(0, count));
  }
  return head;
}
