import type { HeaderList } from "../../lib/base/values/headers.ts";

/** A field of a head, or of a query. */
interface HarField {
  readonly name: string;
  readonly value: string;
}

/** HAR 1.2, "cookies". */
interface HarCookie extends HarField {
  readonly path?: string;
  readonly domain?: string;
  /** ISO 8601. */
  readonly expires?: string;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
}

/** A head's fields. */
export function fieldsOf(headers: HeaderList): HarField[] {
  return headers.map(([name, value]) => ({ name, value }));
}

/** The query of a request's target, decoded. */
export function queryOf(target: string): HarField[] {
  const at = target.indexOf("?");
  if (at < 0) return [];
  return [...new URLSearchParams(target.slice(at + 1))]
    .map(([name, value]) => ({ name, value }));
}

/** What a request's `Cookie` fields hold. */
export function cookiesOf(headers: HeaderList): HarCookie[] {
  return valuesOf(headers, "cookie").flatMap((value) =>
    value.split(";").map((pair) => pair.trim()).filter((pair) => pair !== "")
      .map(pairOf)
  );
}

/** What a response's `Set-Cookie` fields set (RFC 6265 section 4.1). */
export function setCookiesOf(headers: HeaderList): HarCookie[] {
  return valuesOf(headers, "set-cookie").map((value) => {
    const [pair = "", ...attributes] = value.split(";");
    const said = new Map(
      attributes.map((each) => {
        const { name, value } = pairOf(each.trim());
        return [name.toLowerCase(), value];
      }),
    );
    const expires = Date.parse(said.get("expires") ?? "");
    const path = said.get("path");
    const domain = said.get("domain");
    return {
      ...pairOf(pair.trim()),
      ...(path !== undefined && { path }),
      ...(domain !== undefined && { domain }),
      ...(!Number.isNaN(expires) && {
        expires: new Date(expires).toISOString(),
      }),
      httpOnly: said.has("httponly"),
      secure: said.has("secure"),
    };
  });
}

function valuesOf(headers: HeaderList, field: string): string[] {
  return headers.filter(([name]) => name.toLowerCase() === field)
    .map(([, value]) => value);
}

function pairOf(text: string): HarField {
  const at = text.indexOf("=");
  return at < 0
    ? { name: text, value: "" }
    : { name: text.slice(0, at), value: text.slice(at + 1) };
}
