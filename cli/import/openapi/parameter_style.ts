import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import { canonical } from "../../../lib/base/values/canonical.ts";

/** How a style writes a value (OpenAPI 3, "Style Values"; RFC 6570). */
interface Style {
  readonly before: string;
  /** Between the parts of a value that is exploded. */
  readonly exploded: string;
  /** Between those of one that is not. */
  readonly joined: string;
  /** Values come after the name of the parameter. */
  readonly isNamed: boolean;
}

const form = { before: "", exploded: "&", joined: ",", isNamed: true };

/** By place. The first of each is its default. */
const STYLES: Readonly<Record<string, Readonly<Record<string, Style>>>> = {
  path: {
    simple: { before: "", exploded: ",", joined: ",", isNamed: false },
    label: { before: ".", exploded: ".", joined: ",", isNamed: false },
    matrix: { before: ";", exploded: ";", joined: ",", isNamed: true },
  },
  query: {
    form,
    spaceDelimited: { ...form, joined: "%20" },
    pipeDelimited: { ...form, joined: "%7C" },
    deepObject: form,
  },
  header: {
    simple: { before: "", exploded: ",", joined: ",", isNamed: false },
  },
  cookie: { form },
};

/** Whether a parameter has a place that there is. */
export function hasStyles({ in: place }: JsonObject): boolean {
  return Object.hasOwn(STYLES, String(place));
}

/** A parameter as it is sent, and in words what is not as the description has it. */
interface StyledParameter {
  /** A part of a path or a query, percent-encoded; the value of a header field; a cookie. */
  readonly text: string;
  readonly lost: readonly string[];
}

/** Writes a value after the `style` and `explode` of its parameter. */
export function styledParameter(
  parameter: JsonObject,
  value: JsonValue,
): StyledParameter {
  const place = String(parameter["in"]);
  const isInUrl = place === "path" || place === "query";
  const encode = isInUrl ? encodeURIComponent : (text: string) => text;
  const name = encode(String(parameter["name"]));
  const { style, isDeep, explode, lost } = styleOf(parameter, value);
  const own = (text: string) => style.isNamed ? `${name}=${text}` : text;
  const made = (text: string) => ({ text: style.before + text, lost });
  if (!hasParts(parameter, value)) return made(own(encode(asText(value))));
  const parts = Object.entries(value as object).map(([key, each]) =>
    [encode(key), encode(asText(each))] as const
  );
  const isList = Array.isArray(value);
  if (!explode) {
    const all = isList ? parts.map(([, text]) => text) : parts.flat();
    return made(own(all.join(style.joined)));
  }
  const [open, close] = isDeep
    ? [`${name}${encode("[")}`, encode("]")]
    : ["", ""];
  const all = parts.map(([key, text]) =>
    isList ? own(text) : `${open}${key}${close}=${text}`
  );
  return made(all.join(style.exploded));
}

/** Whether a style has a say: `content` makes a text of the value, by its media type. */
function hasParts(parameter: JsonObject, value: JsonValue): boolean {
  return parameter["content"] === undefined && isNested(value);
}

function isNested(value: JsonValue): boolean {
  return typeof value === "object" && value !== null;
}

/** The style of a parameter, or the usual one of its place where it says nothing of the value. */
function styleOf(parameter: JsonObject, value: JsonValue) {
  const { in: place, name, style: said } = parameter;
  const styles = STYLES[String(place)]!;
  const [usual = ""] = Object.keys(styles);
  const known = Object.hasOwn(styles, String(said)) ? String(said) : usual;
  const parts = hasParts(parameter, value);
  const isDeep = known === "deepObject" && isObject(value);
  let explode = isDeep || (parameter["explode"] ?? known === "form") === true;
  const lost: string[] = [];
  const lose = (what: string) =>
    lost.push(`Parameter ${name} (${place}): ${what}.`);
  if (said !== undefined && said !== known) {
    lose(
      `\`style: ${asText(said)}\` is none of a ${place}, sent as \`${usual}\``,
    );
  }
  if (parts && known === "deepObject" && !isDeep) {
    lose("`style: deepObject` says nothing of a list, sent as `form`");
    explode = true;
  }
  if (parts && place === "cookie" && explode) {
    lose("a cookie is one value, sent as with `explode: false`");
    explode = false;
  }
  if (parts && Object.values(value as object).some(isNested)) {
    lose("no style has a list or an object inside another, sent as JSON");
  }
  return { style: styles[known]!, isDeep, explode, lost };
}

/** A scalar as it is written, a list or an object as JSON. */
export function asText(value: JsonValue): string {
  return isNested(value) ? canonical(value) : String(value);
}
