import { flowSchema, targetSchema } from "./file_schema.ts";
import { Forms } from "./forms.ts";
import { sharedNames } from "./kinds.ts";
import { Names } from "./names.ts";
import { flowReference, type Reference, targetReference } from "./reference.ts";

/** What is known of one kind of file. */
export interface FileLanguage {
  readonly kind: "flow" | "target";
  readonly forms: Forms;
  readonly names: Names;
  readonly reference: Reference;
}

/** Of flow files. */
export function flowLanguage(): FileLanguage {
  const forms = new Forms(flowSchema());
  const names = new Names(forms, sharedNames());
  return { kind: "flow", forms, names, reference: flowReference };
}

/** Of target files. */
export function targetLanguage(): FileLanguage {
  const forms = new Forms(targetSchema());
  const names = new Names(forms);
  return { kind: "target", forms, names, reference: targetReference };
}
