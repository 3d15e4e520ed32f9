import { schemes } from "../../steps/auth/registry.ts";
import { protocols } from "../../steps/registry.ts";
import type { Flow } from "../../model/ir/flow.ts";
import { conceal, type Hiding } from "../source/conceal.ts";

const secrets: ReadonlySet<string> = new Set(
  [...schemes.values()].flatMap((scheme) => scheme.secrets),
);

/** Keys of an `auth` block whose values may be literals, of any scheme. */
const open: ReadonlySet<string> = new Set([
  "scheme",
  ...[...schemes.values()].flatMap((scheme) => Object.keys(scheme.keys))
    .filter((key) => !secrets.has(key)),
]);

/** What people call a credential. */
const CREDENTIAL =
  /^(?:auth|token|api_?key|password|passwd|secret|credentials?|username|user|headers|cookies?|client_(?:id|secret))$/i;

/** Whether a target file refuses `key` for being a credential. */
export function isCredential(key: string): boolean {
  return CREDENTIAL.test(key);
}

/**
 * In a flow: every literal under `auth` but those of keys that may have one. It
 * is refused wherever it stands, so nothing that is sent is ever hidden.
 */
export const flowHiding: Hiding = {
  at(path, scalar) {
    const below = belowAuth(path);
    if (below === undefined) return false;
    const [key] = below;
    return key === undefined
      ? scalar !== undefined && !schemes.has(scalar)
      : !open.has(key);
  },
  key: (key) => secrets.has(key) || (!open.has(key) && isCredential(key)),
  below: "auth",
};

/** In a target file: whatever a key that is refused for it carries. */
export const targetHiding: Hiding = {
  at([first = "", key], scalar) {
    if (!isCredential(first)) return false;
    return key === undefined ? scalar !== undefined : !open.has(key);
  },
  key: (key) => isCredential(key) && key !== "auth",
};

/** The part of `path` below the `auth` of a flow, of a step, or put into a block. */
function belowAuth(path: readonly string[]): readonly string[] | undefined {
  if (path[0] === "auth") return path.slice(1);
  if (path[0] !== "steps" || path[1] !== "*") return undefined;
  if (path[2] === "auth") return path.slice(3);
  return path[3] === "auth" && protocols.has(path[2]!)
    ? path.slice(4)
    : undefined;
}

/**
 * The same in a flow that came as IR JSON: its literals are refused, and the
 * message must not quote them. What is no literal stays as it is.
 */
export function withoutLiterals(flow: Flow): Flow {
  const steps = flow.steps.map((step) => {
    const { auth } = step;
    if (!auth) return step;
    const shown = Object.entries(auth).map(([key, value]) => {
      if (open.has(key) || value === null || typeof value === "object") {
        return [key, value];
      }
      return [key, conceal(String(value), [[0, Infinity]])];
    });
    return { ...step, auth: Object.fromEntries(shown) };
  });
  return { ...flow, steps };
}
