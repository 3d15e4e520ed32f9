/** With `--expose-gc`, one of the flags of the program. */
interface Collecting {
  gc?(): void;
}

/** Frees all memory of this thread that is used no more, where the program may. */
export function collectGarbage(): void {
  (globalThis as Collecting).gc?.();
}

/** Bytes. */
const LEAST = 16 * 1024 * 1024;

/**
 * The heap of a thread that puts together what others send it each second. V8 lets
 * it grow to four times what is used, and the buffers behind it to more.
 */
export class CollectedHeap {
  #most: number | undefined;

  /**
   * Collects garbage once there is as much of it as there is in use, and 16 MiB at
   * least. It stops this thread for some 20 ms.
   */
  look(): void {
    this.#most ??= mostAfter();
    if (bytesUsed() < this.#most) return;
    collectGarbage();
    this.#most = mostAfter();
  }
}

function mostAfter(): number {
  const used = bytesUsed();
  return used + Math.max(used, LEAST);
}

function bytesUsed(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}
