import { formatAssertion } from "../../language/expressions/assertion.ts";
import { type Check, compileCheck } from "../../language/expressions/check.ts";
import { NO_SCOPE, type Scope } from "../../language/expressions/names.ts";
import { formatDuration } from "../../base/values/duration.ts";
import { type Failure, failureBy } from "../../model/result/failure.ts";
import type { OpenTools } from "../protocol.ts";
import type { WsBlock } from "./block.ts";
import type { WsFrame } from "./frame.ts";
import type { Taker } from "./session.ts";

/** What all waits of a step have in common. */
interface Filter {
  readonly timeoutMs: number;
  /** Empty for the next frame of any kind. */
  readonly checks: readonly Check[];
  readonly expected: string;
}

/** Makes the `receive` of a block ready; undefined without one. */
export function prepareReceive(
  { receive }: WsBlock,
  tools: OpenTools,
): ((scope: Scope) => Receiving) | undefined {
  if (!receive) return undefined;
  const { match = [], timeout_us } = receive;
  const filter: Filter = {
    timeoutMs: timeout_us === undefined ? tools.timeoutMs : timeout_us / 1_000,
    checks: match.map((each) => compileCheck(each, tools.names)),
    expected: match.map((each) => `\`${formatAssertion(each)}\``)
      .join(" and "),
  };
  if (match.length > 0) return (scope) => new Receiving(filter, scope);
  // It keeps nothing: the first frame ends it.
  const next = new Receiving(filter, NO_SCOPE);
  return () => next;
}

/** This many skipped frames are shown. */
const MOST_SHOWN = 5;

/** A wait for the first frame that all checks hold for. */
export class Receiving implements Taker {
  /** Why the frame that was taken could not be looked at. */
  broken: Failure | undefined;
  #shown: string[] | undefined;
  #skipped = 0;

  constructor(readonly filter: Filter, readonly scope: Scope) {}

  takes(frame: WsFrame): boolean {
    // What cannot be looked at fails the step instead of being skipped.
    try {
      if (frame.error !== undefined || this.#holds(frame)) return true;
      if (this.#skipped++ < MOST_SHOWN) {
        (this.#shown ??= []).push(frame.shown);
      }
      return false;
    } catch (error) {
      this.broken = failureBy(error);
      return true;
    }
  }

  #holds(frame: WsFrame): boolean {
    for (const check of this.filter.checks) {
      if (check(frame, 0, this.scope)) return false;
    }
    return true;
  }

  /** What to say when no frame was taken. */
  late(): string {
    const { expected, timeoutMs } = this.filter;
    const within = durationText(timeoutMs);
    if (expected === "") return `no frame came within ${within}`;
    const what = `no frame matched ${expected} within ${within}`;
    const shown = this.#shown;
    if (!shown) return `${what}: none came`;
    const more = this.#skipped > shown.length
      ? ` and ${this.#skipped - shown.length} more`
      : "";
    return `${what}; skipped: ${shown.join(", ")}${more}`;
  }
}

/** Milliseconds as a message says them. */
export function durationText(ms: number): string {
  return formatDuration(Math.round(ms * 1_000));
}
