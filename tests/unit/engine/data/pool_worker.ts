import { sharedCounter } from "../../../../lib/engine/data/counter.ts";
import { openPool } from "../../../../lib/engine/data/pool.ts";

declare const self: {
  onmessage: (event: MessageEvent) => void;
  postMessage(value: unknown): void;
};

// Draws until the pool runs dry, as a worker thread of a run does.
self.onmessage = ({ data: { memory, size } }) => {
  const pool = { distribution: "unique-per-vu", on_exhausted: "stop" } as const;
  const source = openPool(pool, size, 1, sharedCounter(memory, 1));
  const picked: number[] = [];
  for (;;) {
    const index = source.next(0);
    if (index === undefined) break;
    picked.push(index);
  }
  self.postMessage(picked);
};
