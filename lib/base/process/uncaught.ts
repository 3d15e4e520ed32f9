/** Watching over code that nobody waits for: callbacks, and promises let go. */
export interface UncaughtWatch {
  /** Rejects with the first error that nothing caught; never resolves. */
  readonly fault: Promise<never>;
  /** Errors end the process as usual again. */
  end(): void;
}

/**
 * Takes errors that would end the process at once, so that what is under way can
 * be ended in order. They are faults of this program, not of its input.
 */
export function watchUncaught(): UncaughtWatch {
  const { promise: fault, reject } = Promise.withResolvers<never>();
  // It may be that nobody waits for it any more.
  fault.catch(() => {});
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    reject(event.error);
  };
  const onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    reject(event.reason);
  };
  globalThis.addEventListener("error", onError);
  globalThis.addEventListener("unhandledrejection", onRejection);
  return {
    fault,
    end() {
      globalThis.removeEventListener("error", onError);
      globalThis.removeEventListener("unhandledrejection", onRejection);
    },
  };
}
