import { main } from "./cli/program.ts";

Deno.exit(await main(Deno.args));
