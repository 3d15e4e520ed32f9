import type { Report } from "../../base/text/diagnostic.ts";
import {
  child,
  type JsonLeaf,
  type JsonObject,
  withLeaves,
} from "../../base/values/json.ts";
import { isInCookie } from "../../base/values/headers.ts";
import {
  parseTemplate,
  quote,
  writeTemplate,
} from "../expressions/template.ts";
import { templateErrors } from "../fields/templates.ts";
import { placedSteps } from "../flow/flow.ts";
import type { Kind, Registry } from "../flow/registry.ts";
import type { Flow, Step } from "../ir.ts";
import { checkAuthClash, checkAuthValues, checkHeaders } from "./auth.ts";
import {
  byRole,
  declaredHeaders,
  type IsSound,
  type LoneStep,
  stepParts,
} from "./parts.ts";

/** The environment variables of a flow by name. */
type Environment = ReadonlyMap<string, string>;

/**
 * Checks the headers and the auth of a valid flow as the environment makes
 * them: whether a value can be sent, and whether a name may be written. No
 * message shows a value.
 */
export function checkResolved(
  flow: Flow,
  env: Environment,
  registry: Registry,
  isSound: IsSound,
  report: Report,
): void {
  for (const { step, pointer } of placedSteps(flow)) {
    const hasWholeAuth = isSound(`${pointer}/auth`);
    checkOne({ step, pointer, hasWholeAuth, report }, env, registry);
  }
}

function checkOne(
  about: Pick<LoneStep, "step" | "pointer" | "hasWholeAuth" | "report">,
  env: Environment,
  registry: Registry,
): void {
  const { step, pointer, report } = about;
  /** The texts as they were written, of those that change. */
  const written = new Map<string, string>();
  const kind = registry.kinds.get(step.kind);
  const scheme = registry.schemes.get(String(step.auth?.scheme));
  const plain = stepParts(step, pointer, kind, scheme);
  const leaf = ({ value }: JsonLeaf) => {
    if (typeof value !== "string") return value;
    const text = resolveText(value, env);
    if (text !== value) written.set(text, value);
    return text;
  };
  const parts = byRole(
    plain.all.map((part) =>
      part.role === "headers"
        ? { ...part, value: withLeaves(part.value, leaf) as JsonObject }
        : part
    ),
  );
  // `sign` is a field of auth too, and has no templates.
  const templated = new Set(plain.of("template").map(({ pointer }) => pointer));
  const auth = step.auth &&
    withLeaves(
      step.auth,
      (each) =>
        templated.has(each.path.reduce<string>(child, `${pointer}/auth`))
          ? leaf(each)
          : each.value,
    ) as typeof step.auth;
  if (written.size === 0) return;
  checkCookies(step, pointer, kind, env, report);
  const checked: LoneStep = {
    ...about,
    step: { ...step, ...(auth && { auth }) },
    parts,
    kind,
    scheme,
    report: (diagnostic) =>
      report({
        ...diagnostic,
        message: asWritten(diagnostic.message, written),
      }),
  };
  checkHeaders(parts, checked.report);
  checkAuthValues(checked);
  checkAuthClash(checked);
}

/** Refuses a value of the environment that would begin another cookie. */
function checkCookies(
  step: Step,
  pointer: string,
  kind: Kind | undefined,
  env: Environment,
  report: Report,
): void {
  const parts = stepParts(step, pointer, kind, undefined);
  for (const { name, text, pointer: at } of declaredHeaders(parts)) {
    if (name.toLowerCase() !== "cookie") continue;
    if (templateErrors(text).length > 0) continue;
    let before = "";
    for (const part of parseTemplate(text)) {
      if (typeof part === "string") before += part;
      else if (
        part.root === "env" && isInCookie(before) &&
        env.get(part.path.join("."))?.includes(";")
      ) {
        report({
          at: { pointer: at, inside: quote(part) },
          code: "bad-header",
          message: `the value of ${
            quote(part)
          } holds \`;\`, which would begin another cookie`,
          hint: "for all cookies at once, make the whole header one template",
        });
      }
    }
  }
}

/** A text with the environment in it. Other references stay, and so does a value that would be taken for one. */
export function resolveText(text: string, env: Environment): string {
  if (!text.includes("{{") || templateErrors(text).length > 0) return text;
  return writeTemplate(
    parseTemplate(text).map((part) => {
      if (typeof part === "string") return part;
      const value = part.root === "env"
        ? env.get(part.path.join("."))
        : undefined;
      return value === undefined || value.includes("{{") ? part : value;
    }),
  );
}

/** The message with the text of the flow file where it quotes a value. */
function asWritten(
  message: string,
  written: ReadonlyMap<string, string>,
): string {
  let shown = message;
  for (const [text, source] of written) {
    shown = shown.replaceAll(`\`${text}\``, () => `\`${source}\``)
      .replaceAll(JSON.stringify(text), () => `\`${source}\``);
  }
  return shown;
}
