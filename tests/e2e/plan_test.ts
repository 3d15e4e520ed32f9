import { equal, match, ok } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";

const FLOW =
  "flow: f\nprofile: { iterations: 1 }\nsteps:\n  - { id: a, call: GET / }\n";
const BARE = "name: t\nbase_urls: [http://127.0.0.1:9]\n";

Deno.test("plan: the agent a target has is part of what a run would talk to", async () => {
  using folder = workspace({
    "flow.yaml": FLOW,
    "bare.yaml": BARE,
    "watched.yaml": `${BARE}agent_addr: 10.0.0.5:9090\n`,
  });
  const plan = async (target: string, ...more: string[]) => {
    const args = ["plan", "flow.yaml", "--target", `./${target}.yaml`];
    const run = await bench([...args, ...more], { cwd: folder.path });
    equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  const [text, json, functional, none, noneJson] = await Promise.all([
    plan("watched", "--mode", "load"),
    plan("watched", "--mode", "load", "--json"),
    plan("watched"),
    plan("bare"),
    plan("bare", "--json"),
  ]);
  match(text, /^agent +10\.0\.0\.5:9090, asked once a second$/m);
  equal(JSON.parse(json).agent_addr, "10.0.0.5:9090");
  match(
    functional,
    /^agent +10\.0\.0\.5:9090, not asked in integration mode$/m,
  );
  ok(!none.includes("agent"), none);
  equal(JSON.parse(noneJson).agent_addr, null);
});
