import { deepEqual } from "node:assert/strict";
import {
  type Console,
  systemConsole,
} from "../../../../cli/terminal/console.ts";
import { failWith } from "../../../../cli/terminal/errors.ts";

Deno.test("failWith says that too many files are open, where any part of the program says so", () => {
  const said: string[] = [];
  const console: Console = {
    ...systemConsole("never"),
    err: (text) => void said.push(text),
  };
  const error = new TypeError(
    "Import 'file:///worker.ts' failed.\n    0: Too many open files (os error 24)",
  );
  const code = failWith(error, console, "text");
  deepEqual([code, said[0]], [3, "bench: error: too many files are open\n"]);
});
