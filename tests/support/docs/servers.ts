import { equal, ok } from "node:assert/strict";
import { spawnBench } from "../bench.ts";
import { spawnAgent } from "../live_agent.ts";
import { follow, type LiveCommand } from "../live_command.ts";

/** Starts what a page's commands start and leave running. */
export interface Servers extends AsyncDisposable {
  /**
   * Where a command asks for one: it posts its name, its folder, the agent's
   * token and its words, one a line, and gets what the server printed.
   */
  readonly url: string;
}

/** What returns 200 when a server is well. */
const HEALTH: Readonly<Record<string, string>> = {
  "demo": "/health",
  "serve": "/healthz",
  "bench-agent": "/metrics",
};

/** A server of a page. Each is seen responding when it starts and when it is stopped. */
interface Server {
  readonly name: string;
  readonly command: LiveCommand;
  readonly said: string;
}

/** The servers of one page; ending the scope stops them. */
export function servers(): Servers {
  const started: Server[] = [];
  const control = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const [name, cwd, token, ...words] = (await request.text()).split("\n");
      try {
        const server = await start(name!, cwd!, token!, words.slice(0, -1));
        started.push(server);
        return new Response(server.said);
      } catch (error) {
        return new Response(`${error}\n`, { status: 500 });
      }
    },
  );
  return {
    url: `http://127.0.0.1:${control.addr.port}`,
    async [Symbol.asyncDispose]() {
      await control.shutdown();
      await Promise.all(started.map(stop));
    },
  };
}

async function start(
  name: string,
  cwd: string,
  token: string,
  words: readonly string[],
): Promise<Server> {
  const process = name === "bench-agent"
    ? spawnAgent(words, token === "" ? {} : { BENCH_AGENT_TOKEN: token })
    : spawnBench(words, { cwd });
  const command = follow(process);
  const [said] = await command.printed(/[^]*\n/);
  const port = /:(\d+)\b/.exec(said)?.[1];
  const health = HEALTH[name === "bench-agent" ? name : words[0]!];
  const response = await fetch(`http://127.0.0.1:${port}${health}`, {
    headers: token === "" ? {} : { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  equal(response.status, 200, said);
  return { name, command, said };
}

/** Interrupts a server as a person would; it must end well. */
async function stop({ name, command }: Server): Promise<void> {
  command.process.kill("SIGINT");
  const { code, stderr } = await command.ended();
  ok(code === 0 || code === 130, `${name} ended with ${code}: ${stderr}`);
}
