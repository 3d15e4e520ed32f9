import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { Buffer } from "node:buffer";
import {
  compileText,
  joinedText,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import { type ObjectOf, required } from "../../language/fields/field.ts";
import { secret, templated } from "../../language/fields/templates.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { literalOf, valueErrors } from "./fixed_name.ts";
import { AuthError, type AuthTools, type Scheme } from "./scheme.ts";

const fields = {
  username: required(templated, "the user's name"),
  password: required(
    secret(),
    "the user's password: one {{ env.* }} template",
  ),
};

/**
 * `Authorization: Basic <base64 of user:password>` (RFC 7617 section 2), both
 * in UTF-8. The blob is a secret of its own: it holds the password.
 */
export const basic: Scheme<ObjectOf<typeof fields>> = {
  name: "basic",
  doc: "`Authorization: Basic <base64>`",
  fields,
  check: (block) => [
    ...colonErrors(block),
    // RFC 7617 section 2: there are no control characters in either.
    ...valueErrors(block, "username", "password"),
  ],
  headerNames: () => ["authorization"],
  prepare({ username, password }, tools) {
    const user = compileText(username, tools.names);
    const word = compileText(password, tools.names);
    return {
      headers: [["Authorization", credentials(user, word, tools)]],
    };
  },
};

function credentials(
  user: TextTemplate,
  password: TextTemplate,
  { registerSecret }: AuthTools,
): TextTemplate {
  if (user.constant !== undefined && password.constant !== undefined) {
    const known = encode(user.constant, password.constant, registerSecret);
    return joinedText([known]);
  }
  // A VU keeps its row for an iteration: the same pair often comes twice running.
  let lastUser: string | undefined;
  let lastPassword: string | undefined;
  let last = "";
  return {
    render(scope) {
      const nextUser = user.render(scope);
      const nextPassword = password.render(scope);
      if (nextUser !== lastUser || nextPassword !== lastPassword) {
        last = encode(nextUser, nextPassword, registerSecret);
        lastUser = nextUser;
        lastPassword = nextPassword;
      }
      return last;
    },
  };
}

function encode(
  user: string,
  password: string,
  registerSecret: (value: string) => void,
): string {
  if (user.includes(":")) {
    throw new AuthError("bad-username", colonMessage(user));
  }
  const blob = Buffer.from(`${user}:${password}`).toString("base64");
  registerSecret(blob);
  return `Basic ${blob}`;
}

function colonErrors(block: JsonObject): readonly Diagnostic<string>[] {
  const username = literalOf(block, "username");
  return username?.includes(":")
    ? [{
      at: "/username",
      code: "bad-username",
      message: colonMessage(username),
    }]
    : [];
}

function colonMessage(username: string): string {
  return `\`username\` must not contain \`:\` (RFC 7617), but it is ${
    JSON.stringify(username)
  }`;
}
