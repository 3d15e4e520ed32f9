import { deepStrictEqual } from "node:assert/strict";
import { COMMANDS } from "../../../cli/commands.ts";

Deno.test("COMMANDS: the help of a command says what each of its arguments is", () => {
  const unsaid = COMMANDS.flatMap((command) =>
    // Arguments that a name has with it are without a description.
    command.name.includes(" ")
      ? [command.name]
      : (command.arguments ?? []).filter((each) => !each.description)
        .map((each) => `${command.name} ${each.name()}`)
  );
  deepStrictEqual(unsaid, []);
});
