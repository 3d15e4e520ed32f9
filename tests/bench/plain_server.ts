/**
 * The target where nginx is missing.
 *
 *     deno run -A tests/bench/plain_server.ts <http port> <https port> <folder of server.pem>
 */
import { join } from "node:path";
import { BODY } from "./web_server.ts";

const [http, https, folder] = Deno.args;
const headers = { "content-type": "application/json" };
const respond = () => new Response(BODY, { headers });
const quiet = { hostname: "127.0.0.1", onListen() {} };

Deno.serve({ ...quiet, port: Number(http) }, respond);
Deno.serve({
  ...quiet,
  port: Number(https),
  cert: Deno.readTextFileSync(join(folder!, "server.pem")),
  key: Deno.readTextFileSync(join(folder!, "server_key.pem")),
}, respond);
