import {
  type CancellationToken,
  CancellationTokenSource,
} from "vscode-jsonrpc";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { GracefulStop } from "../run/start_run.ts";

/** One request that may be cancelled, before it begins or while it runs. */
export class Cancellation extends CancellationTokenSource {
  readonly #runs = new Set<GracefulStop>();
  #asked: StopSignal | undefined;

  /** @param forget called when there is nothing left to cancel */
  constructor(readonly forget: () => void) {
    super();
  }

  /** Nothing of it should begin any more. */
  get asked(): boolean {
    return this.#asked !== undefined;
  }

  /** `$/cancelRequest` says no more than this. */
  override cancel(): void {
    this.stop("SIGINT");
  }

  /** @param now requests under way end at once */
  stop(signal: StopSignal, now = false): void {
    this.#asked ??= signal;
    for (const run of this.#runs) {
      if (now) run.now(signal);
      else run.ask(signal);
    }
  }

  /** Carries a run out that `stop` reaches meanwhile. */
  async during<T>(
    work: (stopping: GracefulStop) => Promise<T>,
  ): Promise<T> {
    const run = new GracefulStop();
    this.#runs.add(run);
    if (this.#asked) run.now(this.#asked);
    try {
      return await work(run);
    } finally {
      this.#runs.delete(run);
      run.release();
    }
  }
}

/** Every request under way, by its id. */
export class Cancellations {
  readonly #byId = new Map<number | string, Cancellation>();
  readonly #byToken = new WeakMap<CancellationToken, Cancellation>();

  /** Called by the connection for each request before its handler. */
  readonly receiver = {
    kind: "id" as const,
    createCancellationTokenSource: (id: number | string): Cancellation => {
      const made = new Cancellation(() => this.#byId.delete(id));
      this.#byId.set(id, made);
      this.#byToken.set(made.token, made);
      return made;
    },
  };

  /** Of the request whose handler was given `token`. */
  of(token: CancellationToken): Cancellation {
    return this.#byToken.get(token)!;
  }

  get(id: number | string): Cancellation | undefined {
    return this.#byId.get(id);
  }

  all(): readonly Cancellation[] {
    return [...this.#byId.values()];
  }
}
