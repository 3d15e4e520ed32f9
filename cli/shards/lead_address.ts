import { BenchError } from "../../lib/base/errors/bench_error.ts";
import { EXIT } from "../../lib/base/errors/exit.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { Secure } from "../../lib/wire/net/secure.ts";
import type { ByteStream } from "../../lib/wire/net/byte_stream.ts";
import { isLoopback } from "../../lib/base/values/loopback.ts";
import { type Address, addressText } from "./shard_options.ts";

/** PEM of the lead's own certificate. */
interface LeadCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Listens for shards: on the address itself where only this machine reaches it,
 * else on every address, since the name may be a service's.
 *
 * @throws {BenchError} when something else listens there
 */
export function listenForShards(
  address: Address,
  certificate: LeadCertificate | undefined,
): Deno.Listener {
  const { port } = address;
  const open = (hostname: string) =>
    certificate
      ? Deno.listenTls({ hostname, port, ...certificate })
      : Deno.listen({ hostname, port });
  try {
    if (isLoopback(address.hostname)) return open(address.hostname);
    try {
      return open("::");
    } catch (error) {
      // Without IPv6 there is no such address.
      if (error instanceof Deno.errors.AddrInUse) throw error;
      return open("0.0.0.0");
    }
  } catch (error) {
    const reason = error instanceof Deno.errors.AddrInUse
      ? "something else listens there"
      : osReason(error);
    throw new BenchError(
      `cannot listen on ${addressText(address)}: ${reason}`,
      { exitCode: EXIT.refused, hint: "choose another port with --lead" },
    );
  }
}

/** Connects to the lead. @param ca PEM of who signed its certificate */
export async function connectToLead(
  { hostname, port }: Address,
  ca: string | undefined,
): Promise<ByteStream> {
  const tls = new Secure({
    caCerts: ca === undefined ? [] : [ca],
    insecure: false,
  });
  const socket = await tls.open(hostname, port, new AbortController().signal);
  if (ca === undefined) return socket.connection;
  const { stream } = await socket.secure(hostname, []);
  return stream;
}
