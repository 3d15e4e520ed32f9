import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { HTTP_VERSIONS } from "../../lib/model/result/response.ts";
import { spoken } from "../support/spoken.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce, spansOf } from "../support/run_fixture.ts";

const BODY = Buffer.from(JSON.stringify({
  items: Array.from({ length: 50 }, (_, id) => ({ id, name: `item ${id}` })),
}));
const CODED = {
  gzip: zlib.gzipSync(BODY),
  deflate: zlib.deflateSync(BODY),
  br: zlib.brotliCompressSync(BODY),
} as const;

function message(bytes: Uint8Array, coding: string): string {
  const body = String.fromCharCode(...bytes);
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" +
    `Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n${body}`;
}

/** Responds to `/<coding>/<what>` with what became of the body. */
function coded() {
  return recordingServer(({ line }) => {
    const [, coding, what] = line.split("/") as [
      string,
      keyof typeof CODED,
      string,
    ];
    const whole = CODED[coding];
    const bent = Buffer.from(whole);
    bent[whole.length >> 1]! ^= 0xff;
    bent[(whole.length >> 1) + 1]! ^= 0xff;
    const bodies: Record<string, Uint8Array> = {
      whole,
      cut: whole.subarray(0, -3),
      half: whole.subarray(0, whole.length >> 1),
      more: Buffer.concat([whole, Buffer.from("more")]),
      bent,
    };
    return message(bodies[what]!, coding);
  });
}

function flow(paths: readonly string[], more = ""): string {
  const steps = paths.map((path) =>
    `  - { id: "${
      path.replace("/", "_")
    }", call: GET /${path}, on_failure: record${more} }\n`
  );
  return `flow: coded\nsteps:\n${steps.join("")}`;
}

for (const version of HTTP_VERSIONS) {
  Deno.test(`content coding: a whole body is decoded, for checks and for the trace, over HTTP/${version}`, async () => {
    await using plain = coded();
    await using server = await spoken(plain, version);
    const paths = Object.keys(CODED).map((coding) => `${coding}/whole`);
    const run = await runOnce({
      flow: flow(paths, ', assert: ["$.items[49].id == 49"]'),
      url: server.url,
    }, server.args);
    equal(run.code, 0, run.stdout);
    const shown = spansOf(run, "http_call").map(({ response }) =>
      response!.body
    );
    deepStrictEqual(shown, paths.map(() => BODY.toString()));
  });
}

for (const version of HTTP_VERSIONS) {
  Deno.test(`content coding: a body that is not whole in it fails the step, looked at or not, over HTTP/${version}`, async () => {
    await using plain = coded();
    await using server = await spoken(plain, version);
    const paths = Object.keys(CODED).flatMap((coding) =>
      ["cut", "half", "more", "bent"].map((what) => `${coding}/${what}`)
    );
    for (const more of ["", ", assert: [status == 200, $.nothing == null]"]) {
      const run = await runOnce(
        { flow: flow(paths, more), url: server.url },
        ["--json", ...server.args],
      );
      equal(run.code, 1, run.stdout);
      // Nothing but the result is on standard output, whatever a decoder says.
      deepStrictEqual(JSON.parse(run.stdout), run.meta);
      const failed = new Map(
        run.traces[0]!.spans.filter(({ name }) => name.includes("_"))
          .map(({ name, failure }) => [name, failure]),
      );
      for (const path of paths) {
        const failure = failed.get(path.replace("/", "_"));
        ok(failure, `${path} passed`);
        equal(failure.code, "content-encoding", path);
        const [coding] = path.split("/");
        match(
          failure.message,
          new RegExp(`^The body is not whole ${coding} data`),
        );
      }
    }
  });
}

for (const version of HTTP_VERSIONS) {
  Deno.test(`content coding: a throttle stays one, and an unknown coding is left alone, over HTTP/${version}`, async () => {
    await using plain = recordingServer(({ line }) =>
      line === "GET /limited"
        ? message(CODED.gzip.subarray(0, 20), "gzip").replace(
          "200 OK",
          "429 Slow",
        )
        : message(BODY, "zstd")
    );
    await using server = await spoken(plain, version);
    const run = await runOnce({
      flow: `flow: coded
profile: { mode: load, iterations: 1 }
steps:
  - { id: odd, call: GET /odd, assert: ["$.items[0].id == 0"] }
  - { id: limited, call: GET /limited }
`,
      url: server.url,
    }, server.args);
    equal(run.code, 0, run.stdout);
    deepStrictEqual(
      run.meta.steps.map(({ passed, throttled }) => [passed, throttled]),
      [[1, 0], [0, 1]],
    );
  });
}
