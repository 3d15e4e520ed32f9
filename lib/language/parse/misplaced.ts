import {
  type Protocol,
  STEP_KEYS,
  type StepKey,
} from "../../steps/protocol.ts";
import type { Fields } from "../source/mapping.ts";
import type { Reader } from "../source/reader.ts";

/** Reports common step keys that do not go with the step's action. */
export function reportMisplaced(
  fields: Fields<string>,
  protocol: Protocol,
  what: string,
  reader: Reader,
): void {
  for (const key of STEP_KEYS) {
    const entry = fields.get(key);
    if (!entry || protocol.keys.includes(key)) continue;
    const { kind } = protocol;
    if (key === "auth" && !protocol.requests) {
      reader.report({
        at: entry.keyAt,
        code: "auth-without-request",
        message:
          `${what} is a \`${kind}\`, which makes no request, so it takes no \`auth\``,
        hint: "remove `auth`",
      });
      continue;
    }
    reader.report({
      at: entry.keyAt,
      code: "key-not-allowed",
      message: `\`${key}\` does not go with \`${kind}\``,
      hint: wayOut(key, protocol),
    });
  }
}

function wayOut(key: StepKey, { kind, requests }: Protocol): string {
  if (!requests) return `a \`${kind}\` step gets no answer: remove \`${key}\``;
  if (key === "headers" || key === "query" || key === "body") {
    return `what is sent stands inside the \`${kind}\` block`;
  }
  if (key === "retry" && kind === "poll") {
    return "`interval`, `timeout` and `max_attempts` of the `poll` block say how often";
  }
  return `remove \`${key}\``;
}
