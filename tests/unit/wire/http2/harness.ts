import { type Clock, systemClock } from "../../../../lib/base/time/clock.ts";
import { Http2Connection } from "../../../../lib/wire/http2/connection.ts";
import { FieldBlock } from "../../../../lib/wire/http2/hpack/encoder.ts";
import type { HandOver } from "../../../../lib/wire/net/hand_over.ts";
import type { WireResponse } from "../../../../lib/wire/net/wire_response.ts";
import { AllowList, parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { Network, type TlsOptions } from "../../../../lib/wire/net/network.ts";
import { type H2Connection, h2Server } from "../../../support/h2_server.ts";
import { STRICT } from "../../../support/strict.ts";

/** A test that leaves nothing open. */
export const test = (name: string, run: () => Promise<void>): void =>
  Deno.test({
    name: `HTTP/2: ${name}`,
    ...STRICT,
    fn: run,
  });

/** One HTTP/2 connection to a server of a test. */
export interface H2Client extends AsyncDisposable {
  readonly connection: Http2Connection;
  ask(options?: AskOptions): Promise<WireResponse>;
}

export interface AskOptions {
  readonly method?: string;
  readonly path?: string;
  readonly body?: Uint8Array;
  readonly timeoutMs?: number;
}

/** Dials `url`. */
export async function h2Client(
  url: string,
  options: {
    tls?: Partial<TlsOptions>;
    clock?: Clock;
    timeoutMs?: number;
    handOver?: HandOver;
  } = {},
): Promise<H2Client> {
  const base = parseBaseUrl(url);
  const clock = options.clock ?? systemClock;
  const network = new Network({
    allowList: new AllowList([base]),
    tls: { caCerts: [], insecure: false, ...options.tls },
    clock,
  });
  const dialed = await network.dial(base.origin, options.timeoutMs ?? 10_000, [
    "h2",
  ]);
  const connection = new Http2Connection(
    dialed.stream,
    clock,
    network.deadlines,
    dialed.deadline,
    options.handOver ?? network.handOver,
    network.outbox,
  );
  let first: WireResponse["marks"] | undefined = dialed.marks;
  return {
    connection,
    ask(
      {
        method = "GET",
        path = "/",
        body = new Uint8Array(0),
        timeoutMs = 10_000,
      } = {},
    ) {
      const fields = [
        [":method", method],
        [":scheme", base.origin.family],
        [":authority", base.origin.hostHeader],
        [":path", path],
        ["user-agent", "bench/test"],
      ].map(([name, value]) => ({ name: name!, value: value! }));
      const marks = first;
      first = undefined;
      const request = {
        fields: [new FieldBlock(fields)],
        body,
        head: method === "HEAD",
      };
      return new Promise((done) =>
        connection.exchange(request, timeoutMs, done, marks)
      );
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      network.close();
      await new Promise((resolve) => setTimeout(resolve));
    },
  };
}

/** Runs `test` with a client of a server that says its frames itself. */
export async function withServer(
  handle: (connection: H2Connection) => Promise<void>,
  test: (client: H2Client) => Promise<void>,
  options: { silent?: boolean; timeoutMs?: number; handOver?: HandOver } = {},
): Promise<void> {
  const server = h2Server(handle, options);
  try {
    await using client = await h2Client(server.url, options);
    await test(client);
  } finally {
    await server.close();
  }
}

/** The body as text. */
export function textOf(response: WireResponse): string {
  return new TextDecoder().decode(response.body);
}
