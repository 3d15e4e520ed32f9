import { equal, match, ok } from "node:assert/strict";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

/** As fast as it goes. A second that is not whole has no reading of its own. */
const FLOW = `flow: hungry
profile: { mode: load, vus: 8, hold: 3s }
steps:
  - { id: one, call: GET /one }
`;

const pinned = Deno.build.os === "linux" &&
  await new Deno.Command("taskset", { args: ["-c", "0", "true"] }).output()
    .then(({ success }) => success, () => false);

Deno.test({
  name:
    "generator: one that has to share its core was the limit, and the summary says who had the cores",
  ignore: !pinned,
  async fn() {
    await using server = recordingServer();
    const hog = new Deno.Command("taskset", {
      args: ["-c", "0", "sh", "-c", "while :; do :; done"],
    }).spawn();
    try {
      using fixture = runFixture({ flow: FLOW, url: server.url });
      const run = await fixture.run(["--workers", "1"], {
        before: "taskset -cp 0 $$ >/dev/null",
      });
      equal(run.code, 0, run.stdout + run.stderr);
      const { limited, detail, core_wait_share, cores } = run.meta.generator!;
      equal(limited, true);
      ok(core_wait_share! > 0.1);
      match(
        detail,
        /waited for a core \d+% of the time: of \d+ cores? it had \d\.\d, the target \d\.\d and others \d\.\d/,
      );
      ok(cores!.generator > 0 && cores!.others > 0);
      ok(run.stdout.replaceAll(/\s+/g, " ").includes(`! ${detail}`));
      const { points } = JSON.parse(
        Deno.readTextFileSync(`${run.dir}/series.json`),
      );
      ok(
        points.some((point: { core_wait_share: number }) =>
          point.core_wait_share > 0.1
        ),
      );
    } finally {
      hog.kill("SIGKILL");
      await hog.status;
    }
  },
});
