/**
 * A run of two threads whose seconds pass in milliseconds. Prints how many of the
 * increments that the threads sent live on after sixty of them.
 */
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { runFlow } from "../../../../mod.ts";
import {
  preparedFor,
  unwatched,
  yamlInput,
} from "../../../support/run_in_process.ts";

const SEEN = 60;
const { gc } = globalThis as unknown as { gc(): void };
const seen: WeakRef<object>[] = [];
const over = Promise.withResolvers<number>();

globalThis.Worker = class extends Worker {
  constructor(...args: ConstructorParameters<typeof Worker>) {
    super(...args);
    this.addEventListener("message", ({ data: { increment } }) => {
      if (increment) seen.push(new WeakRef(increment));
      // In a later turn, when nothing on the stack refers to the last one.
      if (seen.length === SEEN) setTimeout(count);
    });
  }
};

function count(): void {
  gc();
  over.resolve(seen.filter((each) => each.deref()).length);
}

const FLOW = `flow: waits
profile: { mode: load, vus: 2, hold: 60s }
steps:
  - { id: pause, wait: 2ms }
`;
const prepared = await preparedFor(
  yamlInput("flow.yaml", FLOW),
  "http://127.0.0.1:9",
);
const options = unwatched();
const running = runFlow(prepared, {
  ...options,
  rehearsal: false,
  workers: 2,
  clock: {
    ...systemClock,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
  },
  listeners: [{ wantsLatencies: () => true }],
});
const living = await over.promise;
options.stop.hard("interrupted", "");
await running;
await Deno.stdout.write(new TextEncoder().encode(String(living)));
