import { isCredentialField } from "../../base/values/field_names.ts";
import { isObject, type JsonObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";
import { schemes } from "./registry.ts";

/** A string that is a credential and nothing else. */
export interface Credential {
  /** JSON Pointer below the step. */
  readonly pointer: string;
  readonly text: string;
}

/** The credentials of a step: the secrets of its auth, and header fields that carry one. */
export function credentialsOf(
  { auth, block }: { readonly auth?: JsonObject; readonly block: JsonObject },
): readonly Credential[] {
  const found: Credential[] = [];
  const add = (pointer: string, text: unknown) => {
    if (typeof text === "string") found.push({ pointer, text });
  };
  for (const key of schemes.get(String(auth?.scheme))?.secrets ?? []) {
    add(child("/auth", key), auth![key]);
  }
  if (!isObject(block.headers)) return found;
  for (const [name, value] of Object.entries(block.headers)) {
    if (isCredentialField(name)) add(child("/block/headers", name), value);
  }
  return found;
}
