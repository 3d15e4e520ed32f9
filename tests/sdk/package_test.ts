import { deepStrictEqual, equal } from "node:assert/strict";
import { join } from "node:path";
import { VERSION } from "../../lib/base/values/build.ts";
import { ROOT } from "../support/bench.ts";

const TEXT = Deno.readTextFileSync(join(ROOT, "sdk/pyproject.toml"));

Deno.test("the SDK's package names no file outside its folder, which no builder takes", () => {
  deepStrictEqual(TEXT.match(/.*\.\.\/.*/g), null);
  const [, readme] = /^readme = "(.+)"$/m.exec(TEXT)!;
  Deno.statSync(join(ROOT, "sdk", readme!));
});

Deno.test("the SDK's package has the version of the programs", () => {
  equal(/^version = "(.+)"$/m.exec(TEXT)?.[1], VERSION);
});
