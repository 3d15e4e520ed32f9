import { IterationNumbers } from "../../../../lib/engine/limiter/iteration_numbers.ts";

declare const self: {
  onmessage: (event: MessageEvent) => void;
  postMessage(value: unknown): void;
};

// Takes numbers until there are no more, as a worker thread of a run does.
self.onmessage = async ({ data: memory }) => {
  const numbers = new IterationNumbers(memory);
  const taken: number[] = [];
  for (;;) {
    const { growing } = numbers;
    const number = numbers.take();
    if (number !== undefined) taken.push(number);
    else if (!growing) break;
    else await new Promise((resolve) => setTimeout(resolve));
  }
  self.postMessage(taken);
};
