import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { type H2Client, h2Client } from "./harness.ts";
import { freePort } from "../../../support/free_port.ts";
import { onPath } from "../../../support/tools.ts";

const TLS = new URL("../../../support/tls/", import.meta.url).pathname;
const LARGE = 1_000_000;
const REPEATED = 100;

/** A server of somebody else's, over the files of a folder. */
interface Server {
  readonly name: string;
  /** Its command line; the files lie in `<folder>/files`. */
  command(folder: string, clear: number, secure: number): string[][];
  /** In its output as soon as its sockets listen. */
  readonly listens: RegExp;
  readonly echoes: boolean;
}

const SERVERS: readonly Server[] = [{
  name: "nginx",
  listens: /using the "\w+" event method/,
  echoes: false,
  command(folder, clear, secure) {
    const config = join(folder, "nginx.conf");
    Deno.writeTextFileSync(
      config,
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr notice;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/bodies;
  client_max_body_size 9m;
  root ${folder}/files;
  location_placeholder
}`.replace(
        "location_placeholder",
        [
          `${clear} http2`,
          `${secure} ssl http2; ssl_certificate ${TLS}server.pem; ssl_certificate_key ${TLS}server_key.pem`,
        ].map((listen) =>
          `server { listen 127.0.0.1:${listen}; location /upload { return 200 taken; } }`
        ).join("\n  "),
      ),
    );
    return [[
      "nginx",
      "-p",
      folder,
      "-e",
      "stderr",
      "-c",
      config,
    ]];
  },
}, {
  name: "nghttpd",
  listens: /: listen /,
  echoes: true,
  command(folder, clear, secure) {
    const args = ["-v", "-a", "127.0.0.1", "-d", join(folder, "files")];
    const echo = "--echo-upload";
    return [
      ["nghttpd", echo, "--no-tls", ...args, String(clear)],
      [
        ...["nghttpd", echo, ...args, String(secure)],
        ...[TLS + "server_key.pem", TLS + "server.pem"],
      ],
    ];
  },
}];

/** Servers may be among the programs of the system. */
const PATH = `${Deno.env.get("PATH")}:/usr/sbin`;

/** A program with all its output in one stream. */
function start([program, ...args]: readonly string[]): Deno.ChildProcess {
  return new Deno.Command("sh", {
    args: ["-c", 'exec "$0" "$@" 2>&1', program!, ...args],
    env: { PATH },
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** Reads what a server writes until it says that it listens. */
async function listening(
  { stdout }: Deno.ChildProcess,
  { name, listens }: Server,
): Promise<void> {
  const text = new TextDecoder();
  let said = "";
  for await (const bytes of stdout.values({ preventCancel: true })) {
    said += text.decode(bytes, { stream: true });
    if (listens.test(said)) return;
  }
  throw new Error(`${name} ended: ${said}`);
}

/** What any server of files does, on one connection. */
async function exchanges(client: H2Client, { echoes }: Server): Promise<void> {
  const text = new TextDecoder();
  for (let nth = 0; nth < REPEATED; nth++) {
    const small = await client.ask({ path: `/small?nth=${nth % 7}` });
    equal(small.failure, undefined);
    deepStrictEqual([small.status, text.decode(small.body)], [200, "hello"]);
  }
  const large = await client.ask({ path: "/large" });
  equal(large.body.length, LARGE);
  ok(large.body.every((byte, at) => byte === at % 251), "every byte of it");
  const head = await client.ask({ method: "HEAD", path: "/large" });
  deepStrictEqual(
    [head.status, head.header("content-length"), head.body.length],
    [200, String(LARGE), 0],
  );
  equal((await client.ask({ path: "/missing" })).status, 404);
  const body = new Uint8Array(300_000).fill(65);
  const upload = await client.ask({ method: "POST", path: "/upload", body });
  deepStrictEqual([upload.failure, upload.status], [undefined, 200]);
  equal(upload.body.length, echoes ? body.length : "taken".length);
  equal((await client.ask({ path: "/small" })).status, 200);
}

for (const server of SERVERS) {
  Deno.test({
    name: `HTTP/2 and ${server.name}: in clear text and over TLS`,
    ignore: !onPath(server.name, PATH),
    async fn() {
      const folder = await Deno.makeTempDir({ prefix: "bench-test-" });
      await Deno.mkdir(join(folder, "files"));
      await Deno.writeTextFile(join(folder, "files/small"), "hello");
      const large = Uint8Array.from({ length: LARGE }, (_, at) => at % 251);
      await Deno.writeFile(join(folder, "files/large"), large);
      await Deno.chmod(folder, 0o755);
      const [clear, secure] = [freePort(), freePort()];
      const ca = await Deno.readTextFile(TLS + "ca.pem");
      const children = server.command(folder, clear, secure).map(start);
      const unread: Promise<void>[] = [];
      try {
        for (const child of children) {
          await listening(child, server);
          unread.push(child.stdout.pipeTo(new WritableStream()));
        }
        for (
          const origin of [
            `http://127.0.0.1:${clear}`,
            `https://127.0.0.1:${secure}`,
          ]
        ) {
          await using client = await h2Client(origin, {
            tls: { caCerts: [ca] },
          });
          await exchanges(client, server);
        }
      } finally {
        for (const child of children) {
          child.kill();
          await child.status;
        }
        await Promise.all(unread);
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}
