import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { bench, workspace } from "../support/bench.ts";

const FLOW = "flow: lookup\nsteps:\n  - { id: one, call: GET /one }\n";

/** A target that says where it was found. */
function target(name: string): string {
  return `name: ${name}\nbase_urls: [http://127.0.0.1:1]\n`;
}

/** A repository in a directory that is none, with a flow two levels down. */
const FILES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/flows/deep/flow.yaml": FLOW,
  "repo/flows/deep/targets/beside.yaml": target("beside"),
  "repo/flows/targets/parent.yml": target("parent"),
  "repo/flows/targets/beside.yaml": target("shadowed"),
  "repo/targets/root.yaml": target("root"),
  "targets/outside.yaml": target("outside"),
  "cwd/targets/here.yaml": target("here"),
  "cwd/targets/2-eu.west.yaml": target("dotted"),
  "config/bench/targets/mine.yaml": target("mine"),
};

Deno.test("target: a bare name is looked for beside the flow, upwards, here, and in the user's configuration", async (t) => {
  using folder = workspace(FILES);
  const options = {
    cwd: join(folder.path, "cwd"),
    env: { XDG_CONFIG_HOME: join(folder.path, "config") },
  };
  const flow = "../repo/flows/deep/flow.yaml";
  const plan = (name: string) =>
    bench(["plan", flow, "--target", name, "--json"], options);
  const found: [name: string, where: string][] = [
    ["beside", "beside"],
    ["parent", "parent"],
    ["root", "root"],
    ["here", "here"],
    ["mine", "mine"],
    ["2-eu.west", "dotted"],
    ["../targets/outside.yaml", "outside"],
  ];
  await Promise.all(found.map(([name, where]) =>
    t.step({
      name: `${name} is found`,
      fn: async () => {
        const { code, stdout, stderr } = await plan(name);
        equal(code, 0, stderr);
        ok(stdout.includes(`"${where}"`), stdout);
      },
      sanitizeExit: false,
    })
  ));
  await t.step("the search ends at the repository root", async () => {
    const { code, stdout, stderr } = await plan("outside");
    equal(code, 2);
    equal(stdout, "");
    match(stderr, /there is no target `outside`/);
    const locations = [
      "flows/deep/targets/outside.yaml",
      "flows/deep/targets/outside.yml",
      "flows/targets/outside.yaml",
      "repo/targets/outside.yml",
      "targets/outside.yaml",
      "config/bench/targets/outside.yml",
    ];
    for (const each of locations) {
      ok(stderr.includes(each), `${each}: ${stderr}`);
    }
    equal(stderr.includes(join(folder.path, "targets")), false);
  });
});

Deno.test("target: a path that leads nowhere is said, with the file that was meant", async () => {
  using folder = workspace(FILES);
  const { code, stderr } = await bench(
    ["run", "repo/flows/deep/flow.yaml", "--target", "targets/outsid.yaml"],
    { cwd: folder.path },
  );
  equal(code, 2);
  match(stderr, /there is no target file .*targets\/outsid\.yaml/);
  match(stderr, /did you mean .*targets\/outside\.yaml/);
});

Deno.test("target: for a flow from standard input, upwards from the current folder", async () => {
  using folder = workspace(FILES);
  const cwd = join(folder.path, "repo/flows/deep");
  const { stdout: stdin } = await bench(["compile", "flow.yaml"], { cwd });
  for (const name of ["beside", "parent", "root"]) {
    const { code, stdout, stderr } = await bench(
      ["plan", "-", "--target", name, "--json"],
      { cwd, stdin },
    );
    equal(code, 0, stderr);
    ok(stdout.includes(`"${name}"`), stdout);
  }
});
