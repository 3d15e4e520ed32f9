import type { JsonObject } from "../../../lib/base/values/json.ts";
import { NO_HOST } from "../../../lib/openapi/operations.ts";
import type { Draft, DraftStep } from "./draft.ts";
import { hostName } from "./companion_files.ts";
import { withLiteralBraces } from "./literal_braces.ts";
import type { WrittenStep } from "./step_writer.ts";
import { beginsWithTemplate, template } from "./template_text.ts";

/** All of a draft but what follows from its steps. */
type DraftFacts =
  & Omit<Draft, "baseUrls" | "auth" | "steps" | "name">
  & {
    readonly name?: string;
    /** The base of relative URLs; the origin of most steps when absent. */
    readonly base?: string;
  };

/**
 * Puts steps together: the origin of most is the base URL, and the auth of
 * most is said once.
 */
export function assemble(
  written: readonly WrittenStep[],
  { base: fixed, ...facts }: DraftFacts,
): Draft {
  const named = written.map((each) => each.origin).filter((each) => each);
  const [base = NO_HOST, ...others] = new Set([
    ...fixed === undefined ? [] : [fixed],
    ...byNumber(named),
    ...written.flatMap(({ step }) => tokenOrigin(step)),
  ]);
  const steps = written.map(({ step, origin }) =>
    origin === "" || isLink(step) || (origin === base && !namesHost(step))
      ? step
      : onOrigin(step, origin)
  );
  const notes = named.length < written.length
    ? [
      ...facts.notes,
      `The host is in a variable: the target's base URL (${base}) is where it goes.`,
    ]
    : facts.notes;
  const auth = sharedAuth(steps);
  const isRead = readBy(written);
  return withLiteralBraces({
    ...facts,
    // A value that became another thing, such as a host, is none of the run.
    env: facts.env.filter((each) => isRead(`env.${each.name}`)),
    name: facts.name ?? hostName(base),
    baseUrls: [base, ...others],
    notes,
    ...(auth && { auth }),
    steps: auth ? steps.map((each) => underAuth(each, auth)) : steps,
  });
}

/** Whether a template of the steps names a variable, such as `env.TOKEN`. */
export function readBy(
  written: readonly WrittenStep[],
): (reference: string) => boolean {
  const steps = JSON.stringify(written);
  return (reference) => steps.includes(template(reference));
}

/** Each value once, the most frequent first. */
export function byNumber(values: readonly string[]): string[] {
  return [...Map.groupBy(values, (each) => each)]
    .sort(([, a], [, b]) => b.length - a.length).map(([value]) => value);
}

/** A URL that a template begins has its own origin. */
function isLink({ call }: DraftStep): boolean {
  return call !== undefined &&
    beginsWithTemplate(call.slice(call.indexOf(" ") + 1));
}

/** A path that begins with `//` is a host, where nothing is before it. */
function namesHost({ call, graphql }: DraftStep): boolean {
  return / \/\//.test(call ?? ` ${graphql?.["url"]}`);
}

function onOrigin(step: DraftStep, origin: string): DraftStep {
  if (step.graphql) {
    const { graphql } = step;
    return { ...step, graphql: { ...graphql, url: origin + graphql["url"] } };
  }
  return { ...step, call: step.call!.replace(" ", ` ${origin}`) };
}

/** Tokens are fetched from a host that has to be allowed, too. */
function tokenOrigin({ auth }: DraftStep): string[] {
  const url = URL.parse(String(auth?.["token_url"] ?? ""));
  return url ? [url.origin] : [];
}

/** The value that most steps send, when that is most of all and more than one. */
function sharedAuth(steps: readonly DraftStep[]): JsonObject | undefined {
  const texts = steps.flatMap(({ auth }) => auth ? JSON.stringify(auth) : []);
  const [most] = byNumber(texts);
  if (most === undefined) return;
  const count = texts.filter((each) => each === most).length;
  return count * 2 > steps.length ? JSON.parse(most) : undefined;
}

function underAuth(step: DraftStep, shared: JsonObject): DraftStep {
  const { auth, ...rest } = step;
  if (!auth) return { ...rest, auth: { scheme: "none" } };
  return JSON.stringify(auth) === JSON.stringify(shared) ? rest : step;
}
