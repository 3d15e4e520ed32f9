import { doesNotMatch, equal, match } from "node:assert/strict";
import { verdictOf } from "../../support/viewer_fixture.ts";
import { FILES, ID, META, page, TRACES } from "./exported_run.ts";

const flow = (profile: unknown) => ({
  ...FILES,
  "flow.json": { ...FILES["flow.json"] as object, profile },
});

const GOING = {
  ...META,
  status: "running",
  verdict: null,
  ended_at: null,
  duration_ms: 2_500,
  thresholds: [verdictOf("error_rate < 1%", 0.25, false, 8)],
} as const;

Deno.test("run page: of a run that goes on, what is done of the plan, and thresholds as they stand", async () => {
  const text = await page(`/runs/${ID}`, flow({ vus: 2, hold_us: 1e7 }), GOING);
  match(text, /<progress value="0\.250"[\s\S]*25 % of the plan is done/);
  match(text, /about 7s left|about 8s left/);
  match(text, /As they stand now; they are judged when the run ends/);
  // In the first screen, before the list of what else there is.
  match(text, /id="thresholds"[\s\S]*breached[\s\S]*id="contents"/);
  const [failed] = TRACES.filter(({ outcome }) => outcome === "failed");
  const [last = ""] = /<ul class="last">[\s\S]*?<\/ul>/.exec(text) ?? [];
  match(last, new RegExp(`traces/${failed!.trace_id}`));
  const ended = await page(`/runs/${ID}`, flow({ vus: 2, hold_us: 1e7 }));
  doesNotMatch(ended, /<progress|As they stand now|class="last"/);
});

Deno.test("run page: a run that its iterations bound is done by their number", async () => {
  const iterations = { ...GOING.iterations, started: 9, completed: 8 };
  const text = await page(`/runs/${ID}`, flow({ vus: 2, iterations: 16 }), {
    ...GOING,
    iterations,
  });
  equal(/<progress value="([^"]*)"/.exec(text)![1], "0.500");
});

Deno.test("run page: a stress run that held says up to where", async () => {
  const text = await page(`/runs/${ID}`, FILES, {
    ...META,
    mode: "stress",
    vus: 60,
    knee: null,
  });
  match(text, /No knee up to 60 VUs/);
});
