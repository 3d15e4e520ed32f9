import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { startDemoTarget } from "../../cli/demo/server.ts";
import { runFixture } from "../support/run_fixture.ts";

const FLOW = `flow: reported
data: rows.csv
steps:
  - id: item
    call: GET /items/{{ user.id }}
    assert: [$.id == 42]
`;

async function withRunFixture(
  body: (place: ReturnType<typeof runFixture>) => Promise<void>,
): Promise<void> {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  try {
    using place = runFixture({
      flow: FLOW,
      url: target.url,
      files: { "rows.csv": "id\n42\n43\n" },
    });
    await body(place);
  } finally {
    await target.close();
  }
}

Deno.test({
  name: "bench run writes JUnit and Markdown, and appends to the step summary",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: () =>
    withRunFixture(async (place) => {
      const read = (name: string) =>
        Deno.readTextFileSync(join(place.path, name));
      Deno.writeTextFileSync(join(place.path, "summary.md"), "before\n");
      const { code, stderr } = await place.run(
        ["--junit", "out/junit.xml", "--report-md", "out/report.md"],
        { env: { GITHUB_STEP_SUMMARY: join(place.path, "summary.md") } },
      );
      equal(code, 1, stderr);
      match(read("out/junit.xml"), /tests="2" failures="1"/);
      match(read("out/report.md"), /^## ❌ Failed: reported\n/);
      equal(read("summary.md"), `before\n${read("out/report.md")}`);
    }),
});

Deno.test({
  name: "bench run says which report it cannot write, and keeps the run",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: () =>
    withRunFixture(async (place) => {
      const run = await place.run(
        ["--junit", "rows.csv/junit.xml", "--report-md", "report.md"],
        { env: { GITHUB_STEP_SUMMARY: place.path } },
      );
      equal(run.code, 1, "the verdict stands");
      match(run.stderr, /cannot write the report rows\.csv\/junit\.xml/);
      ok(run.stderr.includes(`cannot write the report ${place.path}`));
      equal(run.meta.status, "finished");
      match(Deno.readTextFileSync(join(place.path, "report.md")), /Failed/);
    }),
});

Deno.test({
  name:
    "a run that passed without its report exits 3; without the step summary, 0",
  sanitizeOps: true,
  sanitizeResources: true,
  fn: () =>
    withRunFixture(async (place) => {
      Deno.writeTextFileSync(join(place.path, "rows.csv"), "id\n42\n");
      const lost = await place.run(["--junit", "rows.csv/junit.xml"]);
      equal(lost.code, 3, lost.stderr);
      equal(lost.meta.exit_code, 0, "the run itself passed");
      const summary = await place.run([], {
        env: { GITHUB_STEP_SUMMARY: place.path },
      });
      equal(summary.code, 0, summary.stderr);
    }),
});
