import * as v from "valibot";
import type { Scope } from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import {
  type ObjectOf,
  optional,
  required,
} from "../../language/fields/field.ts";
import { listForm } from "../../language/fields/list.ts";
import { string } from "../../language/fields/scalars.ts";
import { secret } from "../../language/fields/templates.ts";
import { templated, templatedUrl } from "../../language/fields/templates.ts";
import { Slot } from "../../language/fields/slot.ts";
import type { Value } from "../../language/fields/value.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { compileUrl } from "../url_template.ts";
import { valueErrors } from "./fixed_name.ts";
import {
  AuthError,
  type Authorizer,
  type AuthTools,
  type Scheme,
} from "./scheme.ts";
import type { TokenRequest, TokenSource } from "./token_source.ts";

const list = v.pipe(v.array(v.string()), v.minLength(1));

/** A list, or one string with spaces in it (RFC 6749 section 3.3). */
const scopes: Value<string[]> = {
  schema: list,
  form: listForm(string.form, { least: { code: "", needs: "" }, orOne: true }),
  *parts(value, pointer) {
    yield { role: "template", pointer, value };
  },
  read({ node, pointer, what, reader }) {
    const items = node.kind === "list" ? node.items : [node];
    const words = items.flatMap((item) =>
      templated.read(new Slot(item, pointer, what, reader))
        ?.match(/(?:\{\{.*?\}\}|\S)+/g) ?? []
    );
    return words.length > 0 ? words : undefined;
  },
};

const fields = {
  token_url: required(
    templatedUrl,
    "absolute URL of the token endpoint, on a host of the target",
  ),
  client_id: required(templated, "the client's id"),
  client_secret: required(
    secret(),
    "the client's secret: one {{ env.* }} template",
  ),
  scopes: optional(scopes, "scopes to ask for: a list, or one string"),
};

/** `Authorization: Bearer <fetched token>` (RFC 6749 section 4.4). */
export const oauth2: Scheme<ObjectOf<typeof fields>> = {
  name: "oauth2_client_credentials",
  doc: "`Authorization: Bearer <fetched token>`",
  fields,
  // RFC 6749 appendix A: there are no control characters in either.
  check: (block) => valueErrors(block, "client_id", "client_secret"),
  headerNames: () => ["authorization"],
  prepare(block, tools) {
    const parts = [
      compileUrl(block.token_url, tools.names),
      ...[
        block.client_id,
        block.client_secret,
        (block.scopes ?? []).join(" "),
      ].map((text) => compileText(text, tools.names)),
    ];
    return parts.every((part) => part.constant !== undefined)
      ? shared(requestOf(parts.map((part) => part.constant!)), tools.tokens)
      : perScope(parts, tools);
  },
};

/** The same credentials for every request: one token, one header block. */
function shared(request: TokenRequest, tokens: TokenSource): Authorizer {
  let token: string | undefined;
  let fields: HeaderList = [];
  const take = (next: string) => {
    if (next === token) return;
    token = next;
    fields = authorization(next);
  };
  return {
    signs: ["Authorization"],
    ready() {
      const current = tokens.current(request);
      if (current === undefined) return tokens.fetch(request).then(take);
      take(current);
    },
    refused: (_scope, sentAt) => tokens.refused(request, sentAt),
    sign() {
      if (token === undefined) throw notReady();
      return fields;
    },
  };
}

/** Credentials that differ from VU to VU; the scope stands for the VU. */
function perScope(
  parts: readonly TextTemplate[],
  { tokens }: AuthTools,
): Authorizer {
  const fields = new WeakMap<Scope, HeaderList>();
  const requestFor = (scope: Scope) =>
    requestOf(parts.map((part) => part.render(scope)));
  return {
    signs: ["Authorization"],
    ready(scope) {
      const request = requestFor(scope);
      const take = (token: string) => {
        fields.set(scope, authorization(token));
      };
      const current = tokens.current(request);
      if (current === undefined) return tokens.fetch(request).then(take);
      take(current);
    },
    refused: (scope, sentAt) => tokens.refused(requestFor(scope), sentAt),
    sign(_draft, scope) {
      const mine = fields.get(scope);
      if (!mine) throw notReady();
      return mine;
    },
  };
}

function requestOf(values: readonly string[]): TokenRequest {
  const [tokenUrl = "", clientId = "", clientSecret = "", scope = ""] = values;
  return { tokenUrl, clientId, clientSecret, scope };
}

function authorization(token: string): HeaderList {
  return [["Authorization", `Bearer ${token}`]];
}

/** A caller that signs before it awaits `ready` has a bug. */
function notReady(): AuthError {
  return new AuthError("token-missing", "no token was fetched before signing");
}
