import { deepEqual, equal, match } from "node:assert/strict";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import type { TlsOptions } from "../../lib/run.ts";
import { answer } from "../support/answers.ts";
import { recordingServer } from "../support/recording_server.ts";
import {
  authority,
  client,
  expiredServer,
  type KeyPair,
  otherServer,
  selfSigned,
  server as serverPair,
} from "../support/tls/certificates.ts";
import { workspace } from "../support/bench.ts";
import { engineResult, type Told } from "./engine_result.ts";
import { pythonResults } from "./python_results.ts";

const STRICT = { sanitizeOps: true, sanitizeResources: true };
const FLOW = {
  flow: "secure",
  steps: [
    { id: "one", call: "GET /one", on_failure: "record" },
    { id: "two", call: "POST /two", on_failure: "record" },
  ],
};
const FILES = {
  "ca.pem": authority,
  "client.pem": client.cert,
  "client_key.pem": client.key,
};
const TRUST: TlsOptions = { caCerts: [authority], insecure: false };
const NOTHING: TlsOptions = { caCerts: [], insecure: false };

/** What both paths come to at `url`, the engine's first. */
async function both(
  url: string,
  options: TlsOptions,
): Promise<readonly [Told, Told]> {
  using place = workspace(FILES);
  const target = { name: "here", base_urls: [url], request_timeout: "5s" };
  const wanted = await engineResult(
    FLOW,
    JSON.stringify(target),
    {},
    {},
    options,
  );
  const files = {
    ...(options.caCerts.length > 0 && { cacert: `${place.path}/ca.pem` }),
    ...(options.cert && {
      cert: `${place.path}/client.pem`,
      key: `${place.path}/client_key.pem`,
    }),
  };
  const [told] = await pythonResults({
    flows: [FLOW],
    target,
    directory: place.path,
    env: {},
    tls: { ...files, insecure: options.insecure },
  });
  return [wanted, told!];
}

Deno.test({
  name:
    "tls: execute() trusts whom the engine trusts, and says no in its words",
  ...STRICT,
  async fn() {
    const rows: [why: RegExp, KeyPair, TlsOptions][] = [
      [/"outcome":"passed"/, serverPair, TRUST],
      [/not signed by a known authority/, serverPair, NOTHING],
      [/not signed by a known authority/, selfSigned, TRUST],
      [/not for this host/, otherServer, TRUST],
      [/has expired/, expiredServer, TRUST],
      [/"outcome":"passed"/, selfSigned, { ...NOTHING, insecure: true }],
      [/"outcome":"passed"/, otherServer, { ...NOTHING, insecure: true }],
    ];
    for (const [why, pair, options] of rows) {
      await using server = recordingServer(undefined, { tls: pair });
      const [wanted, told] = await both(server.url, options);
      deepEqual(told, wanted);
      match(JSON.stringify(told), why);
      // One connection each for both requests, or one a refused handshake.
      const passed = server.arrivals.length > 0;
      equal(server.accepted, passed ? 2 : 4);
    }
  },
});

for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
  Deno.test({
    name: `tls: execute() shows its certificate as the engine does, ${version}`,
    ...STRICT,
    async fn() {
      const server = tls.createServer({
        ...serverPair,
        ca: [authority],
        requestCert: true,
        rejectUnauthorized: true,
        maxVersion: version,
      }, (socket) => {
        socket.on("error", () => {});
        socket.on("data", () => socket.write(answer(200)));
      });
      server.on("tlsClientError", () => {});
      await new Promise<void>((resolve) =>
        server.listen(0, "127.0.0.1", resolve)
      );
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const options of [TRUST, { ...TRUST, ...client }]) {
        const [wanted, told] = await both(url, options);
        if ("cert" in options) {
          deepEqual(told, wanted);
          match(JSON.stringify(told), /"outcome":"passed"/);
          continue;
        }
        // Refused after the handshake: the close may overtake the alert, and
        // each side of a race has words of its own.
        for (const each of [wanted, told].map((one) => JSON.stringify(one))) {
          match(each, /"outcome":"failed"/);
          match(each, /certificate|closed|reset|broken pipe/i);
        }
      }
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
