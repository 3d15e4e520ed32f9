import { deepEqual, equal, ok } from "node:assert/strict";
import { type IncomingHttpHeaders, request } from "node:http";
import { startViewer } from "../../viewer/server.ts";
import { workspace } from "../support/bench.ts";
import { metaOf, putRun } from "../support/viewer_fixture.ts";

/** What a response says of itself, and how long its body is. */
function asked(
  url: string,
  method: string,
  encoding: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: number }> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": encoding };
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let bytes = 0;
      response.on("data", (part: Uint8Array) => bytes += part.length);
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, headers, bytes });
      });
    });
    sent.on("error", reject).end();
  });
}

Deno.test("viewer: HEAD says what GET says, also how long the body is", async () => {
  using folder = workspace({});
  const meta = metaOf();
  putRun(folder.path, meta);
  const viewer = startViewer({
    storeDir: folder.path,
    hostname: "127.0.0.1",
    port: 0,
  });
  await using _ = { [Symbol.asyncDispose]: () => viewer.close() };
  const text = await (await fetch(viewer.url)).text();
  const [asset] = text.match(/assets\/\w+\/style\.css/)!;
  const paths = [
    ...["", "api/v1/runs", "none", "healthz", asset],
    ...[`runs/${meta.id}/export/json`, `runs/${meta.id}/export/html`],
  ];
  for (const path of paths) {
    for (const encoding of ["identity", "gzip"]) {
      const url = viewer.url + path;
      const get = await asked(url, "GET", encoding);
      const head = await asked(url, "HEAD", encoding);
      equal(head.status, get.status, path);
      equal(head.bytes, 0);
      ok(get.bytes > 0);
      const length = head.headers["content-length"];
      if (length !== undefined) equal(Number(length), get.bytes, path);
      const said = ({ headers }: typeof get) => [
        headers["content-type"],
        headers["content-encoding"],
        headers["etag"],
        headers["content-security-policy"],
      ];
      deepEqual(said(head), said(get), path);
    }
  }
});
