import * as v from "valibot";
import type { Scope } from "../../language/expressions/names.ts";
import { compileText } from "../../language/expressions/template.ts";
import type { TextTemplate } from "../../language/expressions/text_template.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { compileUrl } from "../url_template.ts";
import { valueMistakes } from "./header_value.ts";
import {
  AuthError,
  type Authorizer,
  type AuthTools,
  type Scheme,
} from "./scheme.ts";
import type { TokenRequest, TokenSource } from "./token_source.ts";

const schema = v.strictObject({
  scheme: v.literal("oauth2_client_credentials"),
  token_url: v.string(),
  client_id: v.string(),
  client_secret: v.string(),
  scopes: v.exactOptional(v.pipe(v.array(v.string()), v.minLength(1))),
});

/** `Authorization: Bearer <fetched token>` (RFC 6749 section 4.4). */
export const oauth2: Scheme = {
  name: "oauth2_client_credentials",
  keys: {
    token_url: {
      required: true,
      doc: "absolute URL of the token endpoint, on a host of the target",
    },
    client_id: { required: true, doc: "the client's id" },
    client_secret: {
      required: true,
      doc: "the client's secret: one {{ env.* }} template",
    },
    scopes: { doc: "scopes to ask for: a list, or one string" },
  },
  secrets: ["client_secret"],
  templated: ["token_url", "client_id", "client_secret", "scopes"],
  allowsVariable: false,
  choices: {},
  lists: ["scopes"],
  defaults: {},
  schema,
  // RFC 6749 appendix A: there are no control characters in either.
  check: (block) => valueMistakes(block, "client_id", "client_secret"),
  headerNames: () => ["authorization"],
  prepare(block, tools) {
    const fields = v.parse(schema, block);
    const parts = [
      compileUrl(fields.token_url, tools.names),
      ...[
        fields.client_id,
        fields.client_secret,
        (fields.scopes ?? []).join(" "),
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
    headers: [],
    query: [],
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
    headers: [],
    query: [],
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
