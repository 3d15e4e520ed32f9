/** The signals that end a run. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/*
 * The runtime catches SIGHUP whether it was ignored or not, and ends the program
 * when nothing listens: `nohup` would be in vain. So the program always listens.
 * Windows has neither of these two.
 */
const SIGNALS: readonly StopSignal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

let failing = false;

/**
 * Where nothing listens, a write beyond `ulimit -f` ends the process at once, and
 * not with an error of that write. The signal comes some time after the write, so that
 * it is listened to as long as the process lasts.
 */
function haveWritesFail(): void {
  if (failing || Deno.build.os === "windows") return;
  failing = true;
  Deno.addSignalListener("SIGXFSZ", () => {});
}

/**
 * Calls `stop` each time this process is asked to stop. A hang-up asks for it
 * where there is a terminal to hang up; without one, as under `nohup`, it is
 * passed over.
 *
 * @returns gives the signals back to the system
 */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  const watched = hasTerminal();
  haveWritesFail();
  const release = SIGNALS.map((signal) => {
    const heard = () => {
      if (watched || signal !== "SIGHUP") stop(signal);
    };
    Deno.addSignalListener(signal, heard);
    return () => Deno.removeSignalListener(signal, heard);
  });
  return () => release.forEach((each) => each());
}

/** Resolves when this process is asked to stop. */
export async function untilStopped(): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const release = onStopSignal(() => stopped.resolve());
  await stopped.promise;
  release();
}

/** Read at the start: stdin is no terminal any more once its terminal was closed. */
function hasTerminal(): boolean {
  const { stdin, stdout, stderr } = Deno;
  return [stdin, stdout, stderr].some((each) => each.isTerminal());
}

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
