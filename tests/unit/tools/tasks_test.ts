import { deepStrictEqual, ok } from "node:assert/strict";
import config from "../../../deno.json" with { type: "json" };

Deno.test("tasks: Deno looks for no newer version of itself, which would contact a host", () => {
  const runs = Object.values(config.tasks)
    .flatMap((line) => line.split("&&"))
    .map((command) => command.trim())
    .filter((command) => /\bdeno run\b/.test(command));
  ok(runs.length > 5);
  deepStrictEqual(
    runs.filter((run) => !run.startsWith("DENO_NO_UPDATE_CHECK=1 deno run ")),
    [],
  );
});
