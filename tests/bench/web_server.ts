import { join } from "node:path";
import { pinned } from "./process_cost.ts";
import { onPath } from "../support/tools.ts";
import { freePort } from "../support/free_port.ts";

/**
 * A server that responds to every GET with `{"id":42}` plus a little more. nginx adds a
 * field that is new in every response to those below `/new/`.
 */
export interface WebServer extends AsyncDisposable {
  readonly name: string;
  readonly http: string;
  readonly https: string;
  /** Speaks HTTP/2 in clear text. */
  readonly http2: string;
  /** Where each request leaves a line with the number of its connection; nginx alone. */
  readonly counted: { readonly url: string; readonly log: string } | undefined;
}

/** What every request gets. */
export const BODY = '{"id":42,"name":"widget","tags":["a","b"],"price":9.99}';

const TLS = new URL("../support/tls/", import.meta.url).pathname;
/** The authority that signed the server's certificate, PEM. */
export const CA_FILE = join(TLS, "ca.pem");
/** The options of `bench` with which it shows a certificate, as nginx then has it. */
export const CERTIFICATE = [
  ...["--cert", join(TLS, "client.pem")],
  ...["--key", join(TLS, "client_key.pem")],
];

/** nginx on core 0 where it is installed, else a server of Deno's own. */
export async function startWebServer(): Promise<WebServer> {
  const nginx = onPath("nginx");
  const [http, https, counted] = [freePort(), freePort(), freePort()];
  // Deno's server knows HTTP/2 by its first bytes.
  const http2 = nginx ? freePort() : http;
  const folder = await Deno.makeTempDir({ prefix: "bench-web-" });
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const urls = {
    http: url(http),
    https: `https://127.0.0.1:${https}`,
    http2: url(http2),
    counted: nginx
      ? { url: url(counted), log: join(folder, "connections.log") }
      : undefined,
  };
  const config = join(folder, "nginx.conf");
  const ports = { http, https, http2, counted };
  if (nginx) await Deno.writeTextFile(config, nginxConfig(folder, ports));
  const [program, ...args] = [
    ...pinned(0),
    ...(nginx ? ["nginx", "-p", folder, "-c", config] : [
      Deno.execPath(),
      "run",
      "--quiet",
      "-A",
      new URL("plain_server.ts", import.meta.url).pathname,
      String(http),
      String(https),
      TLS,
    ]),
  ];
  const child = new Deno.Command(program!, {
    args,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await reachable(http);
  return {
    name: nginx ? "nginx" : "Deno.serve",
    ...urls,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Waits until something accepts connections on the port. */
export async function reachable(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error(`nothing came up on port ${port} within 5 s`);
}

function nginxConfig(
  folder: string,
  { http, https, http2, counted }: Readonly<Record<string, number>>,
): string {
  const locations = `location / { return 200 '${BODY}'; }
    location /new/ { add_header X-Request-Id $request_id; return 200 '${BODY}'; }`;
  return `
worker_processes 1;
daemon off;
pid ${folder}/pid;
error_log ${folder}/error.log crit;
worker_rlimit_nofile 65536;
events { worker_connections 20000; }
http {
  access_log off;
  default_type application/json;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  server {
    listen 127.0.0.1:${http} backlog=20000;
    ${locations}
  }
  log_format connections '$connection';
  server {
    listen 127.0.0.1:${counted} backlog=20000;
    access_log ${folder}/connections.log connections buffer=64k flush=1s;
    location / { return 200 '${BODY}'; }
  }
  server {
    listen 127.0.0.1:${http2} http2 backlog=20000;
    ${locations}
  }
  server {
    listen 127.0.0.1:${https} ssl backlog=20000;
    ssl_certificate ${TLS}server.pem;
    ssl_certificate_key ${TLS}server_key.pem;
    ssl_client_certificate ${CA_FILE};
    ssl_verify_client optional;
    location / { return 200 '${BODY}'; }
  }
}
`;
}
