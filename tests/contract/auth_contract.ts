import {
  deepStrictEqual,
  notDeepStrictEqual,
  ok,
  strictEqual,
} from "node:assert/strict";
import * as v from "valibot";
import type { Authorizer, Scheme } from "../../lib/steps/auth/scheme.ts";
import type { Scope } from "../../lib/language/expressions/template.ts";
import type { HeaderList } from "../../lib/base/values/headers.ts";
import type { JsonObject } from "../../lib/base/values/json.ts";
import { schemeMapping } from "../../lib/language/flow/registry.ts";
import { schemes } from "../../lib/steps/registry.ts";
import {
  defaultsOf,
  draftOf,
  type RecordingTools,
  recordingTools,
  scopeOf,
} from "../unit/steps/auth/recording_tools.ts";

/** Everything one attempt carries because of a scheme. */
export interface Applied {
  readonly headers: HeaderList;
  readonly query: HeaderList;
  readonly cookie?: readonly [name: string, value: string];
}

/** What one scheme is held to. */
export interface AuthCase {
  readonly scheme: Scheme;
  /** A block with the required keys only, and no defaults. */
  readonly block: JsonObject;
  readonly env: Readonly<Record<string, string>>;
  readonly expected: Applied;
  /** Values the scheme itself makes and has to hide. */
  readonly secrets: readonly string[];
  /**
   * Makes the next attempt's credential another one; gives the scope to use.
   * Absent where nothing of a run changes it: it is the same for every VU.
   */
  readonly change?: (tools: RecordingTools) => Scope;
}

/** Registers the tests every scheme passes. */
export function authContract(each: AuthCase): void {
  const { scheme } = each;
  const { schema } = schemeMapping(scheme, schemes);
  const full = {
    scheme: scheme.name,
    ...defaultsOf(scheme),
    ...each.block,
  };
  const required = Object.keys(scheme.fields)
    .filter((key) => scheme.fields[key]!.required);

  const test = (rule: string, fn: () => void | Promise<void>) =>
    Deno.test({ name: `${scheme.name}: ${rule}`, fn });

  test("an attempt carries exactly these bytes", async () => {
    const tools = recordingTools(each.env);
    const authorizer = scheme.prepare(full, tools);
    deepStrictEqual(await apply(authorizer, scopeOf()), each.expected);
  });

  test("a retry carries the credential again", async () => {
    const tools = recordingTools(each.env);
    const authorizer = scheme.prepare(full, tools);
    const scope = scopeOf();
    await apply(authorizer, scope);
    deepStrictEqual(await apply(authorizer, scope), each.expected);
  });

  test("a retry carries a credential that changed, or one that cannot", async () => {
    const tools = recordingTools(each.env);
    const authorizer = scheme.prepare(full, tools);
    await apply(authorizer, scopeOf());
    const scope = each.change?.(tools);
    if (!scope) tools.clock.time += 3_600_000;
    const later = await apply(authorizer, scope ?? scopeOf("another"));
    if (scope) notDeepStrictEqual(later, each.expected);
    else deepStrictEqual(later, each.expected);
    deepStrictEqual(names(later), names(each.expected));
  });

  test("what it derives from a secret is registered as one", async () => {
    const tools = recordingTools(each.env);
    await apply(scheme.prepare(full, tools), scopeOf());
    deepStrictEqual(tools.secrets, each.secrets);
  });

  test("the block with its defaults is what the schema wants", () => {
    deepStrictEqual(v.parse(schema, full), full);
    deepStrictEqual(scheme.check?.(full) ?? [], []);
  });

  test("an unknown key is refused", () => {
    strictEqual(v.is(schema, { ...full, audience: "x" }), false);
  });

  test("a block of another scheme is refused", () => {
    strictEqual(v.is(schema, { ...full, scheme: "other" }), false);
  });

  test("each required key is required, and the case has no other", () => {
    deepStrictEqual(Object.keys(each.block).sort(), required.toSorted());
    for (const key of required) {
      const { [key]: _, ...rest } = full as Record<string, string>;
      strictEqual(v.is(schema, rest), false, key);
    }
  });

  test("a word outside a closed choice is refused", () => {
    for (const [key, { value }] of Object.entries(scheme.fields)) {
      if (!value.inside?.words) continue;
      for (const word of value.inside.words) {
        ok(v.is(schema, { ...full, [key]: word }));
      }
      strictEqual(v.is(schema, { ...full, [key]: "other" }), false);
    }
  });

  test("it names the header fields it writes", () => {
    deepStrictEqual(
      [...scheme.headerNames?.(full) ?? []].sort(),
      each.expected.headers.map(([name]) => name.toLowerCase()).sort(),
    );
  });
}

/** What the engine does with an authorizer, for one attempt. */
export async function apply(
  authorizer: Authorizer,
  scope: Scope,
): Promise<Applied> {
  const pending = authorizer.ready?.(scope);
  if (pending) await pending;
  const { cookie } = authorizer;
  return {
    headers: [
      ...(authorizer.headers ?? []).map(([name, value]) =>
        [name, value.render(scope)] as const
      ),
      ...(authorizer.sign?.(draftOf(), scope) ?? []),
    ],
    query: (authorizer.query ?? []).map(([name, value]) =>
      [name, value.render(scope)] as const
    ),
    ...(cookie && { cookie: [cookie[0], cookie[1].render(scope)] as const }),
  };
}

function names({ headers, query, cookie }: Applied): readonly string[] {
  return [...headers, ...query, ...(cookie ? [cookie] : [])]
    .map(([name]) => name);
}
