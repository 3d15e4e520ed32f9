import { deepStrictEqual, ok } from "node:assert/strict";
import { EVEN_START } from "../../../lib/base/process/socket_turns.ts";
import { V8_FLAGS } from "../../../tools/programs.ts";
import config from "../../../deno.json" with { type: "json" };

Deno.test("tasks: Deno looks for no newer version of itself, which would contact a host", () => {
  const runs = Object.values(config.tasks)
    .flatMap((line) => line.split("&&"))
    .map((command) => command.trim())
    .filter((command) => /\bdeno run\b/.test(command));
  ok(runs.length > 5);
  deepStrictEqual(
    runs.filter((run) =>
      !/^DENO_NO_UPDATE_CHECK=1 (\w+=\w+ )*deno run /.test(run)
    ),
    [],
  );
});

Deno.test("tasks: a checkout starts as the packed program does", () => {
  const { bench } = config.tasks;
  ok(bench.includes(` ${EVEN_START} deno run `), bench);
  ok(bench.includes(` ${V8_FLAGS} `), bench);
});
