import { runAgent } from "./command.ts";

Deno.exit(await runAgent(Deno.args));
