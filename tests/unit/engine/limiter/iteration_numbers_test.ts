import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  IterationNumbers,
  numberMemory,
} from "../../../../lib/engine/limiter/iteration_numbers.ts";
import { wholeRunMemory } from "../../../../lib/engine/limiter/limiter.ts";

function taken(numbers: IterationNumbers): number[] {
  const all: number[] = [];
  for (;;) {
    const number = numbers.take();
    if (number === undefined) return all;
    all.push(number);
  }
}

Deno.test("IterationNumbers: a run that has all its iterations to itself gets each number once", () => {
  const { numbers: memory } = wholeRunMemory({ iterations: 5 });
  const numbers = new IterationNumbers(memory);
  strictEqual(numbers.growing, false);
  strictEqual(numbers.left(), 5);
  deepStrictEqual(taken(numbers), [0, 1, 2, 3, 4]);
  strictEqual(numbers.left(), 0);
});

Deno.test("IterationNumbers: a second range can wait while the first is used up, a third cannot", () => {
  const numbers = new IterationNumbers(numberMemory());
  strictEqual(numbers.take(), undefined);
  numbers.add({ from: 4, to: 6 });
  numbers.add({ from: 10, to: 11 });
  strictEqual(numbers.hasRoom, false);
  throws(() => numbers.add({ from: 20, to: 21 }), /no room/);
  strictEqual(numbers.left(), 3);
  deepStrictEqual([numbers.take(), numbers.take()], [4, 5]);
  strictEqual(numbers.hasRoom, true);
  numbers.add({ from: 20, to: 22 });
  deepStrictEqual(taken(numbers).toSorted((a, b) => a - b), [10, 20, 21]);
});

Deno.test("IterationNumbers: no number is given twice or lost across threads, while ranges are added", async () => {
  const memory = numberMemory();
  const numbers = new IterationNumbers(memory);
  numbers.grow(true);
  const url = new URL("./iteration_numbers_worker.ts", import.meta.url);
  const threads = [1, 2].map(() => new Worker(url, { type: "module" }));
  const perThread = threads.map((thread) =>
    new Promise<number[]>((resolve, reject) => {
      thread.onmessage = ({ data }) => resolve(data);
      thread.onerror = ({ message }) => reject(new Error(message));
      thread.postMessage(memory);
    })
  );
  const size = 20_000;
  for (let from = 0; from < size;) {
    if (!numbers.hasRoom) {
      await new Promise((resolve) => setTimeout(resolve));
      continue;
    }
    numbers.add({ from, to: from += 1_000 });
  }
  numbers.grow(false);
  const all = (await Promise.all(perThread)).flat();
  threads.forEach((thread) => thread.terminate());
  deepStrictEqual(
    all.sort((a, b) => a - b),
    Array.from({ length: size }, (_, number) => number),
  );
});
