import { deepStrictEqual, ok } from "node:assert/strict";
import { schemeMapping } from "../../lib/language/flow/registry.ts";
import { profile } from "../../lib/language/flow/profile.ts";
import { STEP } from "../../lib/language/flow/step_form.ts";
import { flowFields } from "../../lib/language/flow/flow.ts";
import { registry } from "../../lib/steps/registry.ts";
import { sources, textOf } from "./program.ts";

/** The keys that a mapping has in a file and in the IR, those inside it included. */
function keysOf(value: unknown): string[] {
  const { inside, item } = value as {
    inside?: { fields?: object; item?: unknown };
    item?: unknown;
  };
  const fields = Object.entries(inside?.fields ?? {});
  return [
    ...fields.flatMap(([key, field]) => [
      key,
      field.ir ?? key,
      ...keysOf(field.value),
    ]),
    ...inside?.item ? keysOf(inside.item) : [],
    ...item ? keysOf(item) : [],
  ];
}

/** What blocks of kinds and schemes call their parts, where nothing else is called so. */
function sealedKeys(): string[] {
  const { kinds, schemes } = registry;
  const common = new Set([
    ...[
      ...Object.values(flowFields({ kinds: new Map(), schemes: new Map() })),
      ...Object.values(STEP),
      { value: profile },
    ]
      .flatMap(({ value }) => keysOf(value)),
  ]);
  const sealed = [
    ...[...kinds.values()].flatMap(({ block }) => keysOf(block)),
    ...[...schemes.values()].flatMap((each) =>
      keysOf(schemeMapping(each, schemes))
    ),
  ];
  // An ordinary word may be the name of anything.
  return [...new Set(sealed)].filter((key) =>
    key.includes("_") && !common.has(key)
  );
}

Deno.test("only the folder of a kind and the file of a scheme know their keys", () => {
  const keys = sealedKeys();
  ok(keys.length > 8, keys.join());
  const word = new RegExp(`(?<![\\w-])(?:${keys.join("|")})(?![\\w-])`);
  const known = sources().filter((path) =>
    /^(?:lib|viewer)\//.test(path) && !path.startsWith("lib/steps/") &&
    word.test(textOf(path))
  );
  deepStrictEqual(known, []);
});

Deno.test("nothing outside lib/steps opens a block", () => {
  const opening =
    /\bstep\.block\s*[?!]*[.[]|\bstep\.auth\s*[?!]*(?:\.(?!scheme\b)|\[)/;
  const found = sources().filter((path) =>
    /^(?:lib|viewer)\//.test(path) && !path.startsWith("lib/steps/") &&
    opening.test(textOf(path))
  );
  deepStrictEqual(found, []);
});
