import { ARRIVALS } from "../../lib/engine/plan/plan.ts";
import {
  grouped,
  off,
  text,
  texts,
  toggle,
  whole,
  words,
} from "../options/option.ts";
import {
  CONNECTION,
  CONTRACT,
  HTTP,
  LOAD,
  MODE,
  QUIET,
  REPORTS,
  SEED,
  STORE,
  TARGET,
  THRESHOLD,
} from "../options/shared_options.ts";
import { SHARD } from "../shards/shard_options.ts";

/** How a run is carried out, judged and ended. */
const LOADING = grouped("Load", {
  workers: whole(1, 256)("n", "threads of a load run (default: one per core)", {
    more: "never more than there are VUs",
  }),
  rehearsal: off("begin a load run without rehearsing its steps in memory"),
  ...THRESHOLD,
  stop_on_breach: toggle("end a load run once a threshold is surely broken", {
    more: "the verdict is `fail` ([load.md](load.md#ending-early))",
  }),
  until: text(
    "goal",
    'end a load run once a percentile is so sure: "p99 within 5%"',
    { more: "at the latest when its plan is over" },
  ),
  arrivals: words(ARRIVALS)(
    "pattern",
    "how the requests of an open loop follow one another",
    {
      fallback: "constant",
      more: "`poisson` is at random, as people come, seeded by `--seed`",
    },
  ),
});

export const CARRY_OUT = {
  ...SEED,
  ...STORE,
  ...LOAD,
  ...LOADING,
  ...CONTRACT,
  ...grouped("Connections", { ...HTTP, ...CONNECTION }),
};

/** Which flows are run, of several. */
const FLOWS = grouped("Several flows", {
  only: texts(
    "flow name",
    "run the flows of this name alone; may be repeated",
    {
      more: "of a folder or several files; `*` stands for anything: `check*`",
    },
  ),
  tags: texts("tags", "run the flows that have one of these tags alone", {
    more: "of a folder or several files; `--tags smoke,login`",
  }),
  skip_tags: texts("tags", "leave out the flows that have one of these tags"),
  jobs: whole(1, 64)("n", "flows that run at the same time", {
    fallback: "1",
  }),
});

const OUTPUT = grouped("Output", {
  ...REPORTS,
  json: toggle("print meta.json instead of the summary"),
  verbose: toggle("the summary has the phases of each step too"),
  open: toggle("show the run in a browser while it goes on", {
    more: "the viewer goes on after the run, until Ctrl-C",
  }),
  ...QUIET,
  traceparent: toggle("send the trace of each request (W3C Trace Context)", {
    more:
      "unless its step declares `traceparent` ([monitoring.md](monitoring.md#traces))",
  }),
  metrics: text(
    "host:port",
    "offer the figures to Prometheus there while the run lasts",
    { more: "at `/metrics` ([monitoring.md](monitoring.md))" },
  ),
});

export const RUN = {
  ...TARGET,
  ...MODE,
  ...CARRY_OUT,
  ...FLOWS,
  ...OUTPUT,
  ...grouped("Shards", SHARD),
};
