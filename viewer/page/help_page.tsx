import { Block, Facts } from "./parts.tsx";
import type { PageResponse } from "./page_request.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["?", "this page"],
  ["1 to 5", "the tabs of a run; 1 on other pages is the list of runs"],
  ["j, k", "next, previous row"],
  ["Enter", "open the row"],
  ["/", "go to the filter"],
  ["f", "failed traces of this run"],
  ["[, ]", "previous, next trace of the list it was found in"],
  ["t", "theme: system, light, dark"],
  ["Left, Right", "in a chart: move the cursor"],
  ["Esc", "leave the filter; in a chart: show the whole run"],
];

const WORDS: readonly (readonly [string, string])[] = [
  [
    "error_rate",
    "The share of completed iterations that failed. In load, stress and soak runs a throttle is no failure.",
  ],
  [
    "throttle_rate",
    "The share of completed iterations in which a step ended throttled: the target said, by a 429 or its like, that it will not serve this now.",
  ],
  [
    "response time",
    "From when a request was due. The latency of every threshold and every figure where nothing else is said.",
  ],
  ["service time", "From when the request was sent."],
  [
    "percentile",
    "By nearest rank, from a histogram that is right within 0.1%. Charts over time are coarser; they say so.",
  ],
  [
    "knee",
    "The first level of virtual users of a stress run at which a threshold fails and keeps failing.",
  ],
  [
    "baseline",
    "A run that others of its flow are compared with. It is chosen on its page and kept in this browser.",
  ],
  [
    "phases",
    "dns, connect, tls: making the connection. ttfb: from the send to the first byte. transfer: to the last byte.",
  ],
  [
    "limited by the generator",
    "The machine that sent the load was itself too busy. Latencies then contain its own waiting.",
  ],
  [
    "kept traces",
    "Functional runs keep every iteration; load runs keep failures, the slowest, and a sample.",
  ],
];

/** Keys and words. */
export function helpPage(): PageResponse {
  return {
    title: "Help",
    body: (
      <>
        <h1>Help</h1>
        <Block id="keys" title="Keys">
          <Facts of={KEYS.map(([key, text]) => [<kbd>{key}</kbd>, text])} />
          <p>
            <label>
              <input type="checkbox" id="keys-off" /> Switch these keys off
            </label>
          </p>
        </Block>
        <Block id="words" title="Words">
          <Facts of={WORDS} />
        </Block>
      </>
    ),
  };
}
