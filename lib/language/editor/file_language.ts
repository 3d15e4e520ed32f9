import { flowSchema, targetSchema } from "./file_schema.ts";
import { Forms } from "./forms.ts";
import type { Kinds } from "../flow/kind.ts";
import type { Registry } from "../flow/registry.ts";
import { Names } from "./names.ts";
import { flowReference, type Reference, targetReference } from "./reference.ts";

/** What is known of one kind of file. */
export interface FileLanguage {
  readonly kind: "flow" | "target";
  readonly forms: Forms;
  /** Of its steps. */
  readonly kinds: Kinds;
  readonly names: Names;
  readonly reference: Reference;
}

/** Of flow files. */
export function flowLanguage(registry: Registry): FileLanguage {
  const forms = new Forms(flowSchema(registry));
  const { kinds } = registry;
  const names = new Names(forms, kinds);
  return { kind: "flow", forms, kinds, names, reference: flowReference };
}

/** Of target files. */
export function targetLanguage(): FileLanguage {
  const forms = new Forms(targetSchema());
  const kinds: Kinds = new Map();
  const names = new Names(forms, kinds);
  return { kind: "target", forms, kinds, names, reference: targetReference };
}
