/** A program that uses the engine as a library: a load run on as many threads as its argument says. */
import { runFlow } from "../../../../mod.ts";
import {
  preparedFor,
  unwatched,
  yamlInput,
} from "../../../support/run_in_process.ts";

const FLOW = `flow: waits
profile: { mode: load, vus: 4, iterations: 8 }
steps:
  - { id: pause, wait: 2ms }
`;
const prepared = await preparedFor(
  yamlInput("flow.yaml", FLOW),
  "http://127.0.0.1:9",
);
const { meta } = await runFlow(
  prepared,
  { ...unwatched(), workers: Number(Deno.args[0]), chance: () => 0.5 },
);
await Deno.stdout.write(
  new TextEncoder().encode(String(meta.iterations.passed)),
);
