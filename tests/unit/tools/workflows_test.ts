import { deepStrictEqual, match, ok } from "node:assert/strict";
import { parse } from "yaml";
import { TARGETS } from "../../../tools/programs.ts";

const ROOT = new URL("../../../", import.meta.url);
const FILES = ["ci.yml", "release.yml"];
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
const workflow = (name: string) => read(`.github/workflows/${name}`);

Deno.test("the release workflow builds for every target there is", () => {
  const { jobs } = parse(workflow("release.yml"));
  deepStrictEqual(
    [...jobs.build.strategy.matrix.target].sort(),
    [...TARGETS].sort(),
  );
});

for (const name of FILES) {
  Deno.test(`${name} names tasks and files that are there`, () => {
    const { tasks } = JSON.parse(read("deno.json"));
    const text = workflow(name);
    const named = [...text.matchAll(/deno task ([\w:]+)/g)].map(([, task]) =>
      task!
    );
    ok(named.length > 0);
    for (const task of named) ok(task in tasks, task);
    for (const [, path] of text.matchAll(/run: bash (\S+)/g)) {
      Deno.statSync(new URL(path!, ROOT));
    }
  });

  Deno.test(`${name} uses the Deno the project is tested with, and asks for no more than reading`, () => {
    const { env, permissions } = parse(workflow(name));
    match(
      read("README.md"),
      new RegExp(`deno@${env.DENO_VERSION.replaceAll(".", "\\.")}`),
    );
    deepStrictEqual(permissions, { contents: "read" });
  });
}
