import { isCredentialField } from "../../base/values/field_names.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { partsOf } from "../fields/read_fields.ts";
import type { Part } from "../fields/value.ts";
import { blockParts } from "../flow/kind.ts";
import type { Registry } from "../flow/registry.ts";
import type { Step } from "../ir.ts";
import type { PlacedString } from "./strings.ts";

type Role = Part["role"];
type PartOf<Each extends Role> = Extract<Part, { role: Each }>;

/** What is asked of a step: its block and auth must have passed their schemas. */
export interface Parts {
  readonly all: readonly Part[];
  /** The parts of a role, of the block and of the auth, by JSON Pointer. */
  of<Each extends Role>(role: Each): readonly PartOf<Each>[];
}

/**
 * What a block and an auth block say of themselves.
 *
 * @param pointer of the step
 */
export function stepParts(
  step: Pick<Step, "kind" | "block" | "auth">,
  pointer: string,
  { kinds, schemes }: Registry,
): Parts {
  return byRole([
    ...blockParts(kinds.get(step.kind), step.block, `${pointer}/block`),
    ...authParts(step.auth, `${pointer}/auth`, schemes),
  ]);
}

/** Parts to be asked by their roles. */
export function byRole(all: readonly Part[]): Parts {
  return {
    all,
    of: <Each extends Role>(role: Each) =>
      all.filter((part): part is PartOf<Each> => part.role === role),
  };
}

function authParts(
  auth: JsonObject | undefined,
  pointer: string,
  schemes: Registry["schemes"],
): Iterable<Part> {
  const fields = schemes.get(String(auth?.scheme))?.fields;
  return auth && fields ? partsOf(fields, auth, pointer) : [];
}

/** The header fields that a step declares. */
export function declaredHeaders(
  parts: Parts,
): readonly (PlacedString & { readonly name: string })[] {
  return parts.of("headers").flatMap(({ pointer, value }) =>
    Object.entries(value).map(([name, text]) => ({
      name,
      text: String(text),
      pointer: child(pointer, name),
    }))
  );
}

/** The strings of a step that are credentials: secrets of its auth, and such header fields. */
export function credentials(parts: Parts): readonly PlacedString[] {
  return [
    ...parts.of("secret").map(({ pointer, value: text }) => ({
      pointer,
      text,
    })),
    ...declaredHeaders(parts).filter(({ name }) => isCredentialField(name)),
  ];
}
