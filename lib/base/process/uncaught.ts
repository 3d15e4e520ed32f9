/** Watches code that is not awaited: callbacks and dropped promises. */
interface UncaughtWatch {
  /** Rejects with the first error that nothing caught; never resolves. */
  readonly failure: Promise<never>;
  /** Errors end the process as usual again. */
  end(): void;
}

/**
 * Takes errors that would end the process at once, so that what is under way can
 * be ended in order. They are bugs of this program, not of its input.
 */
export function watchUncaught(): UncaughtWatch {
  const { promise: failure, reject } = Promise.withResolvers<never>();
  // It may no longer be awaited.
  failure.catch(() => {});
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
    failure,
    end() {
      globalThis.removeEventListener("error", onError);
      globalThis.removeEventListener("unhandledrejection", onRejection);
    },
  };
}
