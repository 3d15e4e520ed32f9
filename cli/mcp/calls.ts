import { Refused } from "../../lib/base/errors/bench_error.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { locationOf } from "../../lib/base/text/location.ts";
import { type JsonValue, withLeaves } from "../../lib/base/values/json.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import { isFunctional } from "../../lib/model/mode.ts";
import type { StopSignal } from "../../lib/model/result/run.ts";
import { Secrets } from "../../lib/results/redact/secrets.ts";
import {
  confinedTo,
  type InputEnvironment,
  readablePath,
  systemEnvironment,
} from "../inputs/environment.ts";
import { Cancellation } from "../rpc/cancellation.ts";
import { failureOf } from "../rpc/failures.ts";
import type { Call } from "../rpc/method.ts";
import type { Console } from "../terminal/console.ts";
import type { Shown } from "./shown.ts";
import type { Tool } from "./tools.ts";

/** The bounds of every call. */
interface Bounds {
  /** The only folder that files are read from. */
  readonly root: string;
  readonly allowLoad: boolean;
  /** Runs are stored in the folder, and no link of it leads them elsewhere. */
  readonly storeInside: boolean;
  /** Values that no result shows. */
  readonly secrets: readonly string[];
  readonly console: Console;
}

/** The result of a call, without secrets. */
interface CallResult extends Shown {
  readonly failed: boolean;
}

/** The calls of one client. */
export class Calls {
  readonly #underWay = new Map<Cancellation, Promise<unknown>>();
  readonly #secrets = new Secrets();
  readonly #environment: InputEnvironment;
  /** Runs are carried out one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  #ended: StopSignal | undefined;

  constructor(readonly bounds: Bounds) {
    for (const each of bounds.secrets) this.#secrets.register(each);
    this.#environment = confinedTo(bounds.root, (name) => {
      const value = systemEnvironment.env(name);
      if (value !== undefined) this.#secrets.register(value);
      return value;
    });
  }

  /**
   * Carries a call out. What goes wrong is its result.
   *
   * @param cancelled the client does not wait any more
   * @param progress gets how far a run is
   */
  async make(
    tool: Tool,
    given: unknown,
    cancelled: AbortSignal,
    progress: (figures: Record<string, unknown>) => void,
  ): Promise<CallResult> {
    const cancellation = new Cancellation(() => {});
    const warnings: string[] = [];
    const call: Call = {
      cancellation,
      console: this.bounds.console,
      environment: this.#environment,
      admit: (prepared) => this.#admit(prepared),
      notify(method, params) {
        const said = params as Record<string, unknown>;
        if (method === "progress") progress(said);
        else if (method === "diagnostics") warnings.push(String(said["text"]));
      },
    };
    const cancel = () => cancellation.stop("SIGINT", true);
    cancelled.addEventListener("abort", cancel);
    const work = async () => {
      await Secrets.prepare();
      return await tool.call(given, call);
    };
    const result = tool.sends ? this.#last.then(work) : work();
    if (tool.sends) this.#last = result.catch(() => {});
    const made = this.#cleaned(result, warnings);
    this.#underWay.set(cancellation, made);
    if (this.#ended) cancellation.stop(this.#ended, true);
    try {
      return await made;
    } finally {
      cancelled.removeEventListener("abort", cancel);
      this.#underWay.delete(cancellation);
    }
  }

  /** Ends every call. Resolves when all have their results. */
  async end(signal: StopSignal, now: boolean): Promise<void> {
    this.#ended = signal;
    for (const each of this.#underWay.keys()) each.stop(signal, now);
    await Promise.allSettled(this.#underWay.values());
  }

  async #cleaned(
    result: Promise<Shown>,
    warnings: readonly string[],
  ): Promise<CallResult> {
    try {
      const { text, data } = await result;
      return this.#scrubbed({
        text: [...warnings, text].join("\n"),
        data,
        failed: false,
      });
    } catch (error) {
      return this.#scrubbed(failed(error));
    }
  }

  /** Texts without a value that a flow has read from the environment. */
  #scrubbed<T>(value: T): T {
    const scrubbed = withLeaves(
      value as JsonValue,
      ({ value }) =>
        typeof value === "string" ? this.#secrets.scrub(value) : value,
    );
    return scrubbed as T;
  }

  /** Runs are written where the folder says, and not where a link of it leads. */
  #checkStore(): void {
    const { root } = this.bounds;
    try {
      readablePath(this.#environment, `${root}/.bench/runs`);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      throw new Refused(
        "runs cannot be stored in .bench/runs: a symbolic link leads out of the folder",
        "remove the link",
      );
    }
  }

  /** @throws {InputError} for a run that this server may not carry out */
  #admit(prepared: PreparedRun): void {
    if (this.bounds.storeInside) this.#checkStore();
    const { flow: { profile: { mode } }, target, targetFile } = prepared;
    if (isFunctional(mode)) return;
    if (!this.bounds.allowLoad) {
      throw refused(
        prepared,
        `this server carries out no ${mode} run`,
        "`mode: integration` runs each row of the fixture once; for load the user starts it with --allow-load",
      );
    }
    const missing = (["max_vus", "max_rps"] as const).filter((each) =>
      target[each] === undefined
    );
    if (missing.length === 0) return;
    throw refused(
      prepared,
      `a ${mode} run needs the ceilings of its target, but target \`${target.name}\` has no ${
        missing.map((each) => `\`${each}\``).join(" and no ")
      }`,
      `ask the user to set them in ${targetFile}`,
    );
  }
}

/** A refusal at the mode of the flow. */
function refused(
  { file, locations, sources }: PreparedRun,
  message: string,
  hint: string,
): InputError {
  const at = locationOf(locations, "/profile/mode") ?? { file };
  return new InputError([{ code: "not-allowed", at, message, hint }], sources);
}

/** An error as an agent reads it: where, what, and the way out. */
function failed(error: unknown): CallResult {
  const { code, message, data } = failureOf(error);
  const { text, hint, stack, diagnostics } = (data ?? {}) as {
    readonly text?: string;
    readonly hint?: string | null;
    readonly stack?: string;
    readonly diagnostics?: unknown;
  };
  const way = hint ?? stack;
  return {
    failed: true,
    text: text || `error: ${message}${way ? `\n  = ${way}` : ""}`,
    data: { code, message, ...(diagnostics ? { diagnostics } : {}) } as never,
  };
}
