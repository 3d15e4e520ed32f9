import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import {
  type FixtureFiles,
  runFixture,
  runOnce,
  spansOf,
} from "../support/run_fixture.ts";
import {
  authority,
  client,
  ed448Client,
  expiredServer,
  type KeyPair,
  otherServer,
  selfSigned,
  server as serverPair,
} from "../support/tls/certificates.ts";
import { STRICT } from "../support/strict.ts";

const FLOW = "flow: tls\nsteps:\n  - { id: one, call: GET /one }\n";
const LOAD = FLOW.replace(
  "steps:",
  "profile: { mode: load, vus: 2, iterations: 10 }\nsteps:",
);
const FILES = {
  "ca.pem": authority,
  "client.pem": client.cert,
  "ed448.pem": ed448Client.cert,
  "ed448_key.pem": ed448Client.key,
  "client_key.pem": client.key,
  "other_key.pem": otherServer.key,
};
/** A key in both forms that ask for a password. */
const ENCRYPTED = {
  "pkcs8.pem":
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGj\n-----END ENCRYPTED PRIVATE KEY-----\n",
  "openssl's.pem":
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMIGj\n-----END RSA PRIVATE KEY-----\n",
};
function files(url: string, flow = FLOW): FixtureFiles {
  return { flow, url, files: FILES };
}

Deno.test(
  "tls: --cacert adds the authority that signed the server's certificate",
  STRICT,
  async () => {
    await using server = recordingServer(undefined, { tls: serverPair });
    const run = await runOnce(files(server.url), ["--cacert", "ca.pem"]);
    equal(run.code, 0, run.stdout + run.stderr);
    deepStrictEqual(spansOf(run, "tls").length, 1);
    deepStrictEqual(run.meta.notes, []);
    const load = await runOnce(files(server.url, LOAD), [
      "--cacert",
      "ca.pem",
      "--workers",
      "2",
    ]);
    equal(load.code, 0, load.stdout + load.stderr);
    equal(load.meta.iterations.passed, 10);
  },
);

Deno.test(
  "tls: --cacert takes a self-signed certificate as openssl makes it",
  STRICT,
  async () => {
    await using server = recordingServer(undefined, { tls: selfSigned });
    const own = { ...files(server.url, LOAD) };
    const run = await runOnce(
      { ...own, files: { "own.pem": selfSigned.cert } },
      ["--cacert", "own.pem", "--workers", "2"],
    );
    equal(run.code, 0, run.stdout + run.stderr);
    equal(run.meta.iterations.passed, 10);
    deepStrictEqual(run.meta.notes, []);
  },
);

Deno.test(
  "tls: a certificate that proves nothing fails the step and says why",
  STRICT,
  async () => {
    const rows: [KeyPair, string[], RegExp][] = [
      [serverPair, [], /not signed by a known authority.*--cacert/],
      [selfSigned, ["--cacert", "ca.pem"], /not signed by a known authority/],
      [otherServer, ["--cacert", "ca.pem"], /not for this host/],
      [expiredServer, ["--cacert", "ca.pem"], /expired/],
    ];
    await Promise.all(rows.map(async ([pair, args, says]) => {
      await using server = recordingServer(undefined, { tls: pair });
      const run = await runOnce(files(server.url), args);
      equal(run.code, 1, run.stdout + run.stderr);
      equal(run.meta.failures[0]?.code, "tls");
      match(run.meta.failures[0]!.message, says);
      equal(server.arrivals.length, 0, "no request was sent");
    }));
  },
);

Deno.test(
  "tls: --insecure takes any certificate, warns and leaves a note",
  STRICT,
  async () => {
    for (const pair of [selfSigned, otherServer]) {
      await using server = recordingServer(undefined, { tls: pair });
      const run = await runOnce(files(server.url), ["--insecure", "--quiet"]);
      equal(run.code, 0, run.stdout + run.stderr);
      match(run.stderr, /^WARNING: --insecure: certificates are NOT verified/);
      match(run.meta.notes.join(), /certificates were not verified/);
      match(run.stdout, /note: certificates were not verified/);
    }
  },
);

Deno.test(
  "tls: --cert and --key show the client's certificate",
  STRICT,
  async () => {
    const subjects: unknown[] = [];
    const server = tls.createServer({
      ...serverPair,
      ca: [authority],
      requestCert: true,
      rejectUnauthorized: true,
    }, (socket) => {
      subjects.push(socket.authorized);
      socket.on("error", () => {});
      socket.on("data", () => socket.write(rawResponse(200)));
    });
    server.on("tlsClientError", () => {});
    await new Promise<void>((resolve) =>
      server.listen(0, "127.0.0.1", resolve)
    );
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const trust = ["--cacert", "ca.pem"];
    const pair = ["--cert", "client.pem", "--key", "client_key.pem"];
    const run = await runOnce(files(url), [...trust, ...pair]);
    equal(run.code, 0, run.stdout + run.stderr);
    ok(subjects.length > 0);
    const without = await runOnce(files(url), trust);
    equal(without.code, 1);
    match(without.stdout, /certificate|closed|reset/);
    await new Promise((resolve) => server.close(resolve));
  },
);

Deno.test(
  "tls: files that cannot be used are refused before the run",
  STRICT,
  async () => {
    const rows: [string[], RegExp][] = [
      [["--cacert", "none.pem"], /there is no file none\.pem \(--cacert\)/],
      [["--cacert", "flow.yaml"], /not a PEM file with a certificate/],
      [["--cert", "client.pem"], /--cert: error: it needs --key as well/],
      [["--key", "client_key.pem"], /--key: error: it needs --cert as well/],
      [
        ["--cert", "client.pem", "--key", "other_key.pem"],
        /other_key\.pem \(--key\) is not the key of client\.pem \(--cert\)/,
      ],
      [
        ["--cert", "ed448.pem", "--key", "ed448_key.pem"],
        /ed448_key\.pem \(--key\) is a kind of key that `bench` cannot use for TLS\n += RSA of 2048 bits/,
      ],
      ...["pkcs8.pem", "openssl's.pem"].map((key): [string[], RegExp] => [
        ["--cert", "client.pem", "--key", key],
        /\.pem \(--key\) is a private key that is encrypted\n += `openssl pkey -in (?:pkcs8\.pem|'openssl'\\''s\.pem') -out decrypted\.pem` asks for its password/,
      ]),
    ];
    const given = files("https://127.0.0.1:1");
    await Promise.all(rows.map(async ([args, says]) => {
      using fixture = runFixture({
        ...given,
        files: { ...given.files, ...ENCRYPTED },
      });
      const run = await fixture.run(args);
      equal(run.code, 2);
      match(run.stderr, says);
    }));
  },
);
