import { main } from "./lib/cli/program.ts";

Deno.exit(await main(Deno.args));
