import { headerValue } from "../../base/values/headers.ts";
import type { Span, Trace } from "../../model/result/trace.ts";
import type { Flow } from "../../language/ir.ts";
import type { EndedRun, Listener } from "./run_context.ts";

/** RFC 9110 section 15.4, those with a `Location`. */
const REDIRECTS: ReadonlySet<unknown> = new Set([301, 302, 303, 307, 308]);

/** Of what a step asserts and extracts: a status of these, or where they lead. */
const EXPECTS = /"location"|"kind":"status"\},"value":[^}]*\b30[12378]\b/i;

/**
 * Notes on responses of kept traces that no step looks at: a redirect in
 * a step that fails or does not assert it, and a cookie that nothing keeps before a 401.
 */
export class ResponseNotes implements Listener {
  /** Steps that check nothing, or their latency alone, by id. */
  readonly #unchecked: ReadonlySet<string>;
  /** Steps that ask for a redirect, by id. */
  readonly #expecting: ReadonlySet<string>;
  readonly #ids: ReadonlySet<string>;
  readonly #keepsCookies: boolean;
  #redirect: { readonly step: string; readonly said: string } | undefined;
  #cookie: { readonly from: string; readonly refused: string } | undefined;

  /** @param flows those of the run */
  constructor(flows: readonly Pick<Flow, "steps" | "cookies">[]) {
    const steps = flows.flatMap((each) => each.steps);
    this.#ids = new Set(steps.map(({ id }) => id));
    this.#unchecked = new Set(
      steps.filter(({ assert = [], kind, extract }) =>
        assert.every(({ subject }) => subject.kind === "latency") &&
        extract === undefined && kind !== "poll"
      ).map(({ id }) => id),
    );
    this.#expecting = new Set(
      steps.filter(({ assert, extract }) =>
        EXPECTS.test(JSON.stringify([assert, extract]))
      ).map(({ id }) => id),
    );
    this.#keepsCookies = flows.some(({ cookies }) => cookies !== undefined) ||
      /"from":"cookie"|"cookie"/i.test(
        JSON.stringify(steps),
      );
  }

  /** Looks at the responses of one iteration. */
  trace({ spans }: Pick<Trace, "spans">): void {
    if (this.#redirect && (this.#cookie || this.#keepsCookies)) return;
    const byId = new Map(spans.map((span) => [span.span_id, span]));
    let setBy: string | undefined;
    for (const span of spans) {
      const status = span.attributes?.status;
      if (span.kind !== "call" || typeof status !== "number") continue;
      let above = span.parent_id === undefined
        ? undefined
        : byId.get(span.parent_id);
      while (above && !this.#ids.has(above.name)) {
        above = above.parent_id === undefined
          ? undefined
          : byId.get(above.parent_id);
      }
      const step = above?.name;
      if (step === undefined) continue;
      if (REDIRECTS.has(status)) this.#noteRedirect(step, status, above);
      if (status === 401 && setBy !== undefined && setBy !== step) {
        this.#cookie ??= { from: setBy, refused: step };
      }
      const set = headerValue(span.response?.headers ?? [], "set-cookie");
      if (set !== undefined) setBy ??= step;
    }
  }

  #noteRedirect(step: string, status: number, span?: Span): void {
    const hasFailed = span?.outcome === "failed" && !this.#expecting.has(step);
    const said = hasFailed
      ? `got a ${status} and failed`
      : this.#unchecked.has(step)
      ? `got a ${status} that it does not assert`
      : undefined;
    if (said !== undefined) this.#redirect ??= { step, said };
  }

  /** One sentence each. */
  notes(): string[] {
    const { step, said } = this.#redirect ?? {};
    const { from, refused } = this.#keepsCookies ? {} : this.#cookie ?? {};
    return [
      ...step === undefined ? [] : [
        `step \`${step}\` ${said}: redirects are not followed`,
      ],
      ...from === undefined ? [] : [
        `step \`${from}\` got a cookie that nothing keeps, and step \`${refused}\` a 401: \`cookies: iteration\` at the flow keeps it, in a file with \`version: 1\``,
      ],
    ];
  }
}

/** Of the traces that a load run kept; a functional run has seen each of its own. */
export function responseNotes(
  { plan, prepared: { flow } }: Pick<EndedRun, "plan" | "prepared">,
): ResponseNotes | undefined {
  if (plan.executor === "rows") return undefined;
  // Of a mix the steps alone are known here: its flows may keep cookies.
  return new ResponseNotes([
    plan.turns ? { ...flow, cookies: "iteration" } : flow,
  ]);
}
