import { schemes } from "../../steps/auth/registry.ts";
import type { Scheme } from "../../steps/auth/scheme.ts";
import { REFERENCE_PATTERN } from "../expressions/template.ts";
import { either, type Form, listOf, oneWord, STRING } from "../source/form.ts";
import type { KeyTable } from "../source/mapping.ts";
import { mappingWith } from "../source/mapping_form.ts";

/** `auth` to an editor: the keys of the scheme that is named, no others. */
export function authForm(): Form {
  return { oneOf: [...schemes.values()].map(schemeForm) };
}

function schemeForm(scheme: Scheme): Form {
  const table: KeyTable = {
    scheme: {
      required: true,
      doc: [...schemes.keys()].join(", "),
      form: { const: scheme.name },
    },
    ...Object.fromEntries(
      Object.entries(scheme.keys).map(([key, rule]) => [
        key,
        { ...rule, form: valueForm(key, scheme) },
      ]),
    ),
  };
  return mappingWith(table);
}

function valueForm(key: string, scheme: Scheme): Form {
  const { choices, secrets, lists, allowsVariable } = scheme;
  if (choices[key]) return oneWord(choices[key]);
  if (secrets.includes(key)) {
    const root = allowsVariable ? REFERENCE_PATTERN : "env\\.[^\\s.{}]+";
    return { type: "string", pattern: `^\\{\\{\\s*${root}\\s*\\}\\}$` };
  }
  return lists.includes(key) ? either(STRING, listOf(STRING, 1)) : STRING;
}
