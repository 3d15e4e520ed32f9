/** A program that uses the engine as a library: a load run on as many threads as it is told. */
import { prepareRun, runFlow, Stop } from "../../../../mod.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";

const FLOW = `flow: waits
profile: { mode: load, vus: 4, iterations: 8 }
steps:
  - { id: pause, wait: 2ms }
`;
const input = (file: string, text: string) => ({
  file,
  bytes: new TextEncoder().encode(text),
  directory: ".",
  form: "yaml" as const,
});
const prepared = await prepareRun(
  input("flow.yaml", FLOW),
  input("target.yaml", "name: t\nbase_urls: [http://127.0.0.1:9]\n"),
  { env: () => undefined, readBytes: () => new Uint8Array() },
);
const { meta } = await runFlow(prepared, {
  seed: 1,
  tls: { caCerts: [], insecure: false },
  http: "auto",
  workers: Number(Deno.args[0]),
  clock: systemClock,
  chance: () => 0.5,
  stop: new Stop(),
  signal: () => undefined,
  onProgress: () => {},
  notes: [],
});
await Deno.stdout.write(
  new TextEncoder().encode(String(meta.iterations.passed)),
);
