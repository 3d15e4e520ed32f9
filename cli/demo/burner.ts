/** Keeps cores busy. */
export interface Burner {
  /** Resolves when every core has been kept busy for `ms`, one call after the other. */
  burn(ms: number): Promise<void>;
  close(): void;
}

/** A thread for each core; they are started when first needed. */
export function makeBurner(cores: number): Burner {
  let threads: Thread[] = [];
  return {
    async burn(ms) {
      if (threads.length === 0) {
        threads = Array.from({ length: cores }, startThread);
      }
      await Promise.all(threads.map((thread) => thread.burn(ms)));
    },
    close() {
      threads.forEach((thread) => thread.close());
      threads = [];
    },
  };
}

interface Thread {
  burn(ms: number): Promise<void>;
  close(): void;
}

function startThread(): Thread {
  const worker = new Worker(new URL("./burn_worker.ts", import.meta.url), {
    type: "module",
  });
  // Messages are handled in the order they were sent.
  const waiting: (() => void)[] = [];
  worker.onmessage = () => waiting.shift()?.();
  return {
    burn: (ms) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(ms);
      }),
    close() {
      worker.terminate();
      waiting.splice(0).forEach((resolve) => resolve());
    },
  };
}
