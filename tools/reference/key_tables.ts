import { keysOf } from "../../lib/language/fields/form.ts";
import type { Field, Fields } from "../../lib/language/fields/field.ts";
import { takes } from "../../lib/language/flow/action.ts";
import { flowFields } from "../../lib/language/flow/flow.ts";
import { stepFields } from "../../lib/language/flow/step.ts";
import { target } from "../../lib/language/flow/target.ts";
import { registry } from "../../lib/steps/registry.ts";
import { markdownTable, meaning, type Tables } from "./page.ts";

/** `keys <what>`: the keys of a file, of a step and of each block; and the schemes. */
export function keyTables(): Tables {
  const file = flowFields(registry);
  const step = stepFields(registry);
  const blocks = {
    ...file,
    ...step,
    target: { value: { inside: { fields: target.fields } } },
  };
  const inner = Object.entries(blocks).flatMap(([key, field]) => {
    const { value } = field;
    const inside: Field["value"]["inside"] = value.inside;
    const fields = inside?.fields ??
      (value === file["steps"]!.value
        ? undefined
        : inside?.item?.inside?.fields);
    return fields && !("sdk" in field)
      ? [[`keys ${key}`, () => keyTable(fields, true)] as const]
      : [];
  });
  return {
    ...Object.fromEntries(inner),
    "keys flow": () => keyTable(file, false),
    "keys values": () =>
      keyTable(file["values"]!.value.inside!.item!.inside!.fields!, true),
    "keys step": () => stepTable(step),
    "schemes": schemeTable,
    "keys auth": schemeKeyTable,
  };
}

const IN_ONE_PLACE =
  "Of the request, as for `call`; in the block or beside it, not in both.";

/** @param deep whether the keys of mappings among them are listed too */
function keyTable(fields: Fields, deep: boolean): string {
  const rows = rowsOf(fields, deep);
  const shared = rows.filter(([, { written }]) => written === "either");
  return markdownTable(["key", "required", "meaning"], [
    ...rows.filter((each) => !shared.includes(each)).map(([key, field]) => [
      key,
      field.required ? "yes" : "",
      meaningOf(field),
    ]),
    // What they mean is in the table of the step.
    ...shared.length > 0
      ? [[shared.map(([key]) => key).join(", "), "", IN_ONE_PLACE]]
      : [],
  ]);
}

function rowsOf(
  fields: Fields,
  deep: boolean,
  prefix = "",
): (readonly [string, Field])[] {
  const own = Object.entries(fields)
    .filter(([, { written }]) => written !== "beside");
  return own.flatMap(([key, field]) => {
    const words = keysOf(prefix + key, field).map((each) => `\`${each}\``);
    const inside = deep ? field.value.inside?.fields : undefined;
    return [
      [words.join(" or "), field] as const,
      ...inside ? rowsOf(inside, true, `${prefix}${key}.`) : [],
    ];
  });
}

function meaningOf(
  { value, doc, fallback, version }: Field,
): string {
  const { words = value.inside?.item?.inside?.words ?? [] } = value.inside ??
    {};
  const unsaid = words.some((each) => !doc.includes(each));
  return meaning({
    text: doc,
    words: unsaid ? words : undefined,
    more: version ? `Version ${version}.` : "",
    fallback: fallback?.replaceAll("\n", "\\n"),
  });
}

/** The keys of a step besides its action, and the kinds that take each. */
function stepTable(fields: Fields): string {
  const kinds = [...registry.kinds.values()];
  const common = Object.entries(fields)
    .filter(([key]) => !registry.kinds.has(key));
  return markdownTable(
    ["key", "on", "meaning"],
    common.map(([key, field]) => {
      const [on, others] = [true, false].map((wanted) =>
        kinds.filter((kind) => takes(kind, key) === wanted)
          .map(({ kind }) => `\`${kind}\``)
      ) as [string[], string[]];
      const most = others.length === 1 ? `all but ${others[0]}` : "";
      return [
        `\`${key}\``,
        on.length === 0 ? "all" : most || on.join(", "),
        meaningOf(field),
      ];
    }),
  );
}

function schemeTable(): string {
  return markdownTable(
    ["scheme", "sends"],
    [...registry.schemes.values()].map(({ name, doc }) => [`\`${name}\``, doc]),
  );
}

function schemeKeyTable(): string {
  return markdownTable(
    ["key", "of", "required", "meaning"],
    [...registry.schemes.values()].flatMap(({ name, fields }) =>
      Object.entries(fields).map(([key, field]) => [
        `\`${key}\``,
        `\`${name}\``,
        field.required ? "yes" : "",
        meaningOf(field),
      ])
    ),
  );
}
