import { type Clock, systemClock } from "../../lib/base/time/clock.ts";
import { AllowList, parseBaseUrl } from "../../lib/wire/net/url.ts";
import type { WireResponse } from "../../lib/wire/net/wire_response.ts";
import { HttpConnections } from "../../lib/wire/http/connections.ts";
import { http1Request } from "../../lib/wire/http/request.ts";
import { Network, type TlsOptions } from "../../lib/wire/net/network.ts";

/** One VU's side of the wire room, allowed to reach `url` and nothing else. */
export interface WireHarness extends Disposable {
  readonly network: Network;
  readonly connections: HttpConnections;
  /** Sends a request without a body, or `request` as it is. */
  exchange(method?: string, request?: Uint8Array): Promise<WireResponse>;
  close(): void;
}

/** Makes a harness; `timeoutMs` bounds each of its exchanges. */
export function wireHarness(
  url: string,
  options: {
    readonly tls?: Partial<TlsOptions>;
    readonly clock?: Clock;
    readonly timeoutMs?: number;
  } = {},
): WireHarness {
  const base = parseBaseUrl(url);
  const network = new Network({
    allowList: new AllowList([base]),
    tls: { caCerts: [], insecure: false, ...options.tls },
    clock: options.clock ?? systemClock,
  });
  const connections = new HttpConnections(network);
  const plain = (method: string) =>
    new TextEncoder().encode(
      `${method} / HTTP/1.1\r\nHost: ${base.origin.hostHeader}\r\n\r\n`,
    );
  const close = () => {
    connections.close();
    network.close();
  };
  return {
    network,
    connections,
    exchange: (method = "GET", request = plain(method)) =>
      connections.request(
        base.origin,
        http1Request(method, request),
        options.timeoutMs ?? 10_000,
      ),
    close,
    [Symbol.dispose]: close,
  };
}
