import { join } from "node:path";
import { onPath, pinned } from "./process_cost.ts";

/** A server that answers every GET with `{"id":42}` plus a little more. */
export interface WebServer extends AsyncDisposable {
  readonly name: string;
  readonly http: string;
  readonly https: string;
}

/** What every request is answered with. */
export const BODY = '{"id":42,"name":"widget","tags":["a","b"],"price":9.99}';

const TLS = new URL("../support/tls/", import.meta.url).pathname;
/** The authority that signed the server's certificate, PEM. */
export const CA_FILE = join(TLS, "ca.pem");

/** nginx on core 0 where it is installed, else a server of Deno's own. */
export async function startWebServer(): Promise<WebServer> {
  const [http, https] = [freePort(), freePort()];
  const urls = {
    http: `http://127.0.0.1:${http}`,
    https: `https://127.0.0.1:${https}`,
  };
  const place = await Deno.makeTempDir({ prefix: "bench-web-" });
  const nginx = onPath("nginx");
  const config = join(place, "nginx.conf");
  if (nginx) await Deno.writeTextFile(config, nginxConfig(place, http, https));
  const [program, ...args] = [
    ...pinned(0),
    ...(nginx ? ["nginx", "-p", place, "-c", config] : [
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
      await Deno.remove(place, { recursive: true });
    },
  };
}

/** A port nobody listens on at this moment. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    return listener.addr.port;
  } finally {
    listener.close();
  }
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

function nginxConfig(place: string, http: number, https: number): string {
  return `
worker_processes 1;
daemon off;
pid ${place}/pid;
error_log ${place}/error.log crit;
worker_rlimit_nofile 65536;
events { worker_connections 20000; }
http {
  access_log off;
  default_type application/json;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  server {
    listen 127.0.0.1:${http} backlog=20000;
    location / { return 200 '${BODY}'; }
  }
  server {
    listen 127.0.0.1:${https} ssl backlog=20000;
    ssl_certificate ${TLS}server.pem;
    ssl_certificate_key ${TLS}server_key.pem;
    location / { return 200 '${BODY}'; }
  }
}
`;
}
