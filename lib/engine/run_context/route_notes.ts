import type { RouteOptions } from "../../wire/net/byte_stream.ts";
import { hostPort } from "../../wire/net/host.ts";
import type { BaseUrl } from "../../wire/net/url.ts";

/** Which way the connections of a run go, where it is not the usual one. */
interface RouteNotes {
  readonly used: readonly string[];
  /** Entries of `--resolve` that no connection asks for. */
  readonly unused: readonly string[];
}

export function routeNotes(
  { bases }: { readonly bases: readonly BaseUrl[] },
  { resolve = {}, proxy }: RouteOptions = {},
): RouteNotes {
  const dialled = (proxy ? [proxy] : bases.map(({ origin }) => origin))
    .map(({ host, port }) => hostPort(host, port));
  const [used, unused] = [
    Object.entries(resolve).filter(([each]) => dialled.includes(each)),
    Object.keys(resolve).filter((each) => !dialled.includes(each)),
  ];
  const why = proxy
    ? "the proxy looks up the hosts of the target"
    : `the target has ${[...new Set(dialled)].join(", ")}`;
  return {
    used: [
      ...used.map(([each, addresses]) =>
        `${each} was not looked up: connections went to ${
          addresses.join(", ")
        } (--resolve)`
      ),
      ...proxy
        ? [
          `connections went through the proxy ${
            hostPort(proxy.host, proxy.port)
          } (--proxy): its time is in the figures`,
        ]
        : [],
    ],
    unused: unused.map((each) => `--resolve of ${each} has no effect: ${why}`),
  };
}
