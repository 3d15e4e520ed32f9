import type { Hiding } from "../source/hidden.ts";
import type { Fields } from "../fields/field.ts";
import { flowFields, STEP_LISTS } from "./flow.ts";
import type { Registry, Schemes } from "./registry.ts";
import { stepFields } from "./step.ts";

/** The keys of auth blocks, of any scheme. */
interface AuthKeys {
  /** Keys whose values may be literals. */
  readonly open: ReadonlySet<string>;
  readonly secret: ReadonlySet<string>;
  /** Keys and names of schemes, and the parts of these that people take for them. */
  readonly words: ReadonlySet<string>;
}

function authKeys(schemes: Schemes): AuthKeys {
  const fields = [...schemes.values()].flatMap((each) =>
    Object.entries(each.fields)
  );
  const secret = new Set(
    fields.filter(([, { value }]) => value.isSecret).map(([key]) => key),
  );
  const keys = fields.map(([key]) => key);
  const open = new Set(["scheme", ...keys]).difference(secret);
  const parts = [...schemes.keys()].flatMap((name) => {
    const [first = "", ...rest] = name.split("_");
    return [name, first, rest.join("_")];
  });
  return { open, secret, words: new Set([...open, ...secret, ...parts]) };
}

/** The words of closed sets, which messages list: `fixed`, `exponential`. */
function* choices(fields: Fields = {}): Generator<string> {
  for (const { value } of Object.values(fields)) {
    for (let at = value.inside; at; at = at.item?.inside) {
      yield* at.words ?? [];
      yield* choices(at.fields);
    }
  }
}

/** Names of credentials. */
const CREDENTIAL =
  /^(?:auth|token|api_?key|password|passwd|secret|credentials?|username|user|headers|cookies?|client_(?:id|secret))$/i;

/** Whether a target file refuses `key` for being a credential. */
export function isCredential(key: string): boolean {
  return CREDENTIAL.test(key);
}

/**
 * In a flow: every literal under `auth` but those of keys that may have one. It
 * is refused wherever it is, so nothing that is sent is ever hidden.
 */
export function flowHiding(registry: Registry): Hiding {
  const { open, secret, words } = authKeys(registry.schemes);
  const isWord = (scalar = "") => words.has(scalar.toLowerCase());
  return Object.assign((path: readonly string[], scalar?: string) => {
    const below = belowAuth(inFlow(path), registry);
    if (below === undefined) return false;
    const [key] = below;
    return key === undefined
      ? scalar !== undefined && !isWord(scalar)
      : secret.has(key) || !(open.has(key) || isWord(scalar));
  }, {
    words: new Set([
      ...words,
      ...choices(flowFields(registry)),
      ...choices(stepFields(registry)),
    ]),
  });
}

/** In a target file: whatever a key that is refused for it carries. */
export function targetHiding({ schemes }: Registry): Hiding {
  const { open, words } = authKeys(schemes);
  return Object.assign(
    ([first = "", key]: readonly string[], scalar?: string) => {
      if (!isCredential(first)) return false;
      return key === undefined ? scalar !== undefined : !open.has(key);
    },
    { words },
  );
}

/** The path in the flow that a mix has there, where it has a whole one. */
function inFlow(path: readonly string[]): readonly string[] {
  return path[0] === "flows" && path[2] === "flow" ? path.slice(3) : path;
}

/** The part of `path` below the `auth` of a flow, of a step, or put into a block. */
function belowAuth(
  path: readonly string[],
  { kinds }: Registry,
): readonly string[] | undefined {
  if (path[0] === "auth") return path.slice(1);
  if (!STEP_LISTS.some((list) => list === path[0]) || path[1] !== "*") {
    return undefined;
  }
  if (path[2] === "auth") return path.slice(3);
  return path[3] === "auth" && kinds.has(path[2]!) ? path.slice(4) : undefined;
}
