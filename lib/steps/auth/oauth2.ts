import * as v from "valibot";
import {
  compileText,
  NO_SCOPE,
  type Scope,
} from "../../language/expressions/template.ts";
import {
  type ObjectOf,
  optional,
  required,
  Slot,
  type Value,
} from "../../language/fields/field.ts";
import { listForm } from "../../language/fields/list.ts";
import { string } from "../../language/fields/scalars.ts";
import {
  secret,
  templated,
  templatedUrl,
} from "../../language/fields/templates.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import { compileUrl } from "../url_template.ts";
import { valueErrors } from "./fixed_name.ts";
import {
  AuthError,
  type Authorizer,
  type Scheme,
  type TokenRequest,
  type TokenSource,
} from "./scheme.ts";

const list = v.pipe(v.array(v.string()), v.minLength(1));

/** A list, or one string with spaces in it (RFC 6749 section 3.3). */
const scopes: Value<string[]> = {
  schema: list,
  form: listForm(string.form, { least: true, orOne: true }),
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
    "URL of the token endpoint, on a host of the target; a relative one joins its first base URL",
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
    const rendered = (scope: Scope) =>
      requestOf(parts.map((part) => part.render(scope)));
    if (parts.some((part) => part.constant === undefined)) {
      const held = new WeakMap<Scope, Held>();
      return bearing(rendered, (scope) => {
        const known = held.get(scope) ?? {};
        held.set(scope, known);
        return known;
      }, tools.tokens);
    }
    const request = rendered(NO_SCOPE);
    const held = {};
    return bearing(() => request, () => held, tools.tokens);
  },
};

/** A token and the header block that carries it. */
interface Held {
  token?: string;
  fields?: HeaderList;
}

/**
 * @param requestFor what a token is fetched with
 * @param heldBy the token of these credentials: of all VUs, or of the one that the
 *   scope stands for
 */
function bearing(
  requestFor: (scope: Scope) => TokenRequest,
  heldBy: (scope: Scope) => Held,
  tokens: TokenSource,
): Authorizer {
  return {
    signs: ["Authorization"],
    ready(scope) {
      const request = requestFor(scope);
      const held = heldBy(scope);
      const current = tokens.current(request);
      if (current !== undefined) return hold(held, current);
      return tokens.fetch(request).then((token) => hold(held, token));
    },
    refused: (scope, sentAt) => tokens.refused(requestFor(scope), sentAt),
    sign(_draft, scope) {
      const { fields } = heldBy(scope);
      if (fields) return fields;
      // A caller that signs before it awaits `ready` has a bug.
      const why = "no token was fetched before signing";
      throw new AuthError("token-missing", why);
    },
  };
}

function hold(held: Held, token: string): undefined {
  if (token === held.token) return;
  held.token = token;
  held.fields = [["Authorization", `Bearer ${token}`]];
}

function requestOf(values: readonly string[]): TokenRequest {
  const [tokenUrl = "", clientId = "", clientSecret = "", scope = ""] = values;
  return { tokenUrl, clientId, clientSecret, scope };
}
