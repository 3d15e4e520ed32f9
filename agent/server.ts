import { ifPossible } from "../lib/base/values/if_possible.ts";
import { systemClock } from "../lib/base/time/clock.ts";
import { HttpServer } from "../lib/wire/server/http_server.ts";
import type { ListenAddress } from "./address.ts";

/** An agent that listens. */
export interface RunningAgent {
  readonly port: number;
  /** `host:port` as a person would use it, `[::]:9090` for every address. */
  readonly listening: string;
  /** Stops listening; responses under way are finished. */
  close(): Promise<void>;
}

type Handler = (request: Request) => Response;

/**
 * Listens; without a hostname on every address of the machine, IPv4 and IPv6.
 *
 * @throws {Deno.errors.AddrInUse} when the port is taken
 */
export function startAgent(
  address: ListenAddress,
  handler: Handler,
): RunningAgent {
  const { hostname, port } = address;
  const servers = hostname === undefined
    ? everywhere(port, handler)
    : [serve(hostname, port, handler)];
  const first = servers[0]!;
  return {
    port: first.addr.port,
    listening: first.address,
    async close() {
      await Promise.all(servers.map((each) => each.shutdown()));
    },
  };
}

/** One socket serves both families, unless the machine keeps them apart. */
function everywhere(port: number, handler: Handler) {
  let both: ReturnType<typeof serve>;
  try {
    both = serve("::", port, handler);
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) throw error;
    // No IPv6 on this machine.
    return [serve("0.0.0.0", port, handler)];
  }
  return keepsFamiliesApart()
    ? [both, serve("0.0.0.0", both.addr.port, handler)]
    : [both];
}

function keepsFamiliesApart(): boolean {
  const file = "/proc/sys/net/ipv6/bindv6only";
  return ifPossible(() => Deno.readTextFileSync(file), "").trim() === "1";
}

function serve(hostname: string, port: number, handler: Handler) {
  return new HttpServer({ hostname, port }, handler, systemClock);
}
