import { REFERENCE_PATTERN } from "../expressions/template.ts";
import { templated } from "./templates.ts";
import type { Value } from "./value.ts";

/**
 * A credential: exactly one `{{ env.* }}` template.
 *
 * @param variable it may also be an extracted variable
 */
export function secret(
  { variable = false }: { readonly variable?: boolean } = {},
): Value<string> {
  const reference = variable ? REFERENCE_PATTERN : "env\\.[^\\s.{}]+";
  return {
    ...templated,
    isSecret: true,
    form: {
      type: "string",
      pattern: `^\\{\\{\\s*(?:${reference})\\s*\\}\\}$`,
    },
    *parts(value, pointer) {
      yield { role: "template", pointer, value };
      yield { role: "secret", pointer, value, variable };
    },
  };
}
