import { equal } from "node:assert/strict";
import { CollectedHeap } from "../../../../lib/base/process/garbage.ts";

const MIB = 2 ** 20;

/** Counts the collections of `work`. */
function collections(work: (count: () => number) => void): void {
  const scope = globalThis as { gc?: () => void };
  const own = scope.gc;
  let count = 0;
  scope.gc = () => count++;
  try {
    work(() => count);
  } finally {
    if (own) scope.gc = own;
    else delete scope.gc;
  }
}

/** Kept, so that nothing is garbage. */
const held: Uint8Array[] = [];

function hold(bytes: number): void {
  held.push(new Uint8Array(bytes));
}

Deno.test("a heap is collected when it has grown by the least, and not again before it grows further", () => {
  collections((count) => {
    const heap = new CollectedHeap({ share: 0, leastMib: 64, buffers: true });
    heap.look();
    equal(count(), 0);
    hold(128 * MIB);
    heap.look();
    equal(count(), 1);
    heap.look();
    equal(count(), 1);
    hold(128 * MIB);
    heap.look();
    equal(count(), 2);
  });
});

Deno.test("the growth of a heap is that since it was smallest, also when V8 collected it", () => {
  collections((count) => {
    const large = new ArrayBuffer(256 * MIB);
    const heap = new CollectedHeap({ share: 0, leastMib: 64, buffers: true });
    heap.look();
    // Its memory is given back at once.
    structuredClone(large, { transfer: [large] }).transfer(0);
    heap.look();
    hold(128 * MIB);
    heap.look();
    equal(count(), 1);
  });
});

Deno.test("a share of what is in use may be garbage", () => {
  collections((count) => {
    const heap = new CollectedHeap({ share: 0.9, leastMib: 1, buffers: true });
    heap.look();
    const { heapUsed, external } = Deno.memoryUsage();
    hold((heapUsed + external) * 0.5);
    heap.look();
    equal(count(), 0);
    hold((heapUsed + external) * 0.5);
    heap.look();
    equal(count(), 1);
  });
});

Deno.test("the buffers behind a heap count where they are said to", () => {
  collections((count) => {
    const heap = new CollectedHeap({ share: 0, leastMib: 64, buffers: false });
    heap.look();
    hold(128 * MIB);
    heap.look();
    equal(count(), 0);
  });
});
