import { parseTemplate } from "../expressions/template.ts";
import { templateErrors } from "../fields/templates.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import { flowParts, type PlacedString, templatedStrings } from "./parts.ts";

/**
 * Every string of a flow whose templates are well formed.
 *
 * @param left the templates beside malformed ones, by the JSON Pointer of their string
 */
export function flowStrings(
  flow: Flow,
  registry: Registry,
  left: ReadonlyMap<string, string> = new Map(),
): PlacedString[] {
  const values = (flow.values ?? []).flatMap((value, index) =>
    value.kind === "text"
      ? [{ pointer: `/values/${index}/text`, text: value.text }]
      : []
  );
  const steps = flowParts(flow, registry).flatMap((
    { step, pointer, parts },
  ) => [...templatedStrings(step, pointer, parts)]);
  return [
    ...[...values, ...steps]
      .filter(({ text }) => templateErrors(text).length === 0),
    ...[...left].map(([pointer, text]) => ({ pointer, text })),
  ];
}

/**
 * The environment variables a flow names, in flow order, each with the
 * JSON Pointers of the strings that use it.
 *
 * @param left as for `flowStrings`
 */
export function referencedEnv(
  flow: Flow,
  registry: Registry,
  left?: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly string[]> {
  const strings = flowStrings(flow, registry, left);
  const uses = strings.flatMap(({ pointer, text }) => {
    const names = parseTemplate(text).flatMap((part) =>
      typeof part === "object" && part.root === "env" ? part.path.join(".") : []
    ).filter((name) => ENV_NAME.test(name));
    return [...new Set(names)].map((name) => ({ name, pointer }));
  });
  return new Map(
    Map.groupBy(uses, ({ name }) => name).entries()
      .map(([name, all]) => [name, all.map(({ pointer }) => pointer)]),
  );
}

/** The names that an environment variable can have. */
export const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
