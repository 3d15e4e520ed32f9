import { headerValue } from "../../../lib/base/values/headers.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../../../lib/base/values/json.ts";
import {
  bodyOf,
  hasLeaf,
  type HttpRequest,
  isFilePath,
  isInOrder,
  type MultipartField,
  type RequestBody,
  shownNames,
} from "../draft/http_request.ts";
import { hasTemplate, quoteTemplates } from "../draft/template_text.ts";
import { enabled, type Item, textOrEmpty } from "./collection.ts";
import type { Variables } from "./variables.ts";

/** A request of a collection, its variables filled in. */
export function requestOf(
  { request, keepsBody }: Item,
  variables: Variables,
): HttpRequest {
  const headers = headersOf(request["header"]).map((pair) =>
    pair.map((each) => variables.in(each)) as [string, string]
  ).filter(([name]) => name !== "");
  const given = headerValue(headers, "content-type");
  const isForm = isObject(request["body"]) &&
    request["body"]["mode"] === "urlencoded";
  // Postman sends a form as one, whatever its header says.
  const type = isForm && !FORM_TYPE.test(given ?? "") ? undefined : given;
  const method = textOrEmpty(request["method"]).toUpperCase() || "GET";
  const { body, said } = keepsBody || !BODILESS.test(method)
    ? sentBody(request["body"], type, variables)
    : {};
  return {
    method,
    url: urlOf(request["url"], variables),
    headers: [
      ...headers.filter(([name]) =>
        type === given || name.toLowerCase() !== "content-type"
      ),
      ...(said && type === undefined ? [["Content-Type", said] as const] : []),
    ],
    ...(body && { body }),
  };
}

const FORM_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Methods whose body Postman leaves out, unless the collection says otherwise. */
const BODILESS = /^(?:GET|COPY|HEAD|PURGE|UNLOCK)$/;

/** A list, or in format v2.0 the lines of a text. */
function headersOf(header: JsonValue | undefined): [string, string][] {
  if (typeof header !== "string") {
    return enabled(header).map((each) => [
      textOrEmpty(each["key"]),
      textOrEmpty(each["value"]),
    ]);
  }
  return header.split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, value] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined || name.startsWith("//") ? [] : [[name, value!]];
  });
}

function urlOf(url: JsonValue | undefined, variables: Variables): string {
  const parts: JsonObject = isObject(url) ? url : { raw: url ?? "" };
  const raw = textOrEmpty(parts["raw"]).trim() || joined(parts);
  const [before = ""] = raw.split(/[?#]/);
  const [, written = ""] = /\?([^#]*)/.exec(raw) ?? [];
  const query = Array.isArray(parts["query"])
    ? enabled(parts["query"]).map(({ key, value }) =>
      encoded(textOrEmpty(key), variables) +
      (value === null ? "" : `=${encoded(textOrEmpty(value), variables)}`)
    ).join("&")
    : variables.in(written);
  const values = new Map(
    objectsIn(parts["variable"]).map((each) =>
      [textOrEmpty(each["key"]), textOrEmpty(each["value"])] as const
    ),
  );
  const whole = variables.in(
    before.replaceAll(
      /(?<=\/):([^/.{}]+)/g,
      (part, name: string) => inPath(values.get(name) ?? "") || part,
    ),
  );
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(whole) || hasTemplate(whole)
    ? whole
    : `http://${whole}`;
  return query === "" ? address : `${address}?${query}`;
}

/** A value in a path, as it is written; its variables are filled in later. */
function inPath(value: string): string {
  return value.replaceAll(/[?#]/g, encodeURIComponent);
}

/** The address of a URL that is written in parts alone. */
function joined({ protocol, host, port, path }: JsonObject): string {
  const texts = (list: JsonValue | undefined) =>
    [list ?? []].flat().map((each) =>
      textOrEmpty(isObject(each) ? each["value"] : each)
    );
  const scheme = textOrEmpty(protocol).replace(/:?\/*$/, "");
  const at = textOrEmpty(port);
  return (scheme === "" ? "" : `${scheme}://`) + texts(host).join(".") +
    (at === "" ? "" : `:${at}`) + `/${texts(path).join("/")}`
    .replace(/^\/+/, "/");
}

/**
 * Postman sends what is written; only what would end a parameter needs a code. The values of
 * variables come later: what ends a parameter there does.
 */
function encoded(text: string, variables: Variables): string {
  const written = text.replaceAll(
    /(\{\{[^{}]*\}\})|[&#=]/g,
    (each, variable: string | undefined) =>
      variable ?? encodeURIComponent(each),
  );
  return variables.in(written).replaceAll(/\s/g, encodeURIComponent);
}

/** @returns `said` is the media type that Postman sends where no header says one */
function sentBody(
  body: JsonValue | undefined,
  type: string | undefined,
  variables: Variables,
): { readonly body?: RequestBody; readonly said?: string } {
  if (!isObject(body) || body["disabled"] === true) return {};
  const options = isObject(body["options"]) ? body["options"] : {};
  const raw = isObject(options["raw"]) ? options["raw"] : {};
  switch (body["mode"]) {
    case "raw": {
      const said = RAW_TYPES.get(textOrEmpty(raw["language"]));
      const written = textOrEmpty(body["raw"]);
      const text = variables.in(
        said === JSON_TYPE ? jsonText(written) : written,
      );
      const made = bodyOf(text, type ?? said ?? "text/plain");
      // In JSON a template alone is the number itself, and in a text what stands in quotes.
      const sent = made && "json" in made &&
          hasLeaf(made.json, (each) => variables.mayBeNumber(each))
        ? { text }
        : made;
      if (!sent) return {};
      return "text" in sent && said === undefined
        ? { body: sent }
        : { body: sent, said: said ?? "text/plain" };
    }
    case "urlencoded": {
      const fields = fieldsOf(body["urlencoded"], variables);
      if (fields.length === 0) return {};
      // A template in a form is encoded when its value is known, one in a text is not.
      return isInOrder(fields) || fields.flat().some(hasTemplate)
        ? { body: { form: fields } }
        : {
          body: {
            text: String(new URLSearchParams(fields.map(([a, b]) => [a, b]))),
          },
          said: "application/x-www-form-urlencoded",
        };
    }
    case "formdata":
      return multipartBody(enabled(body["formdata"]), variables);
    case "file": {
      const { src } = isObject(body["file"]) ? body["file"] : {};
      const file = fileName(textOrEmpty(src));
      return {
        body: file === undefined
          ? { unsendable: "a file: write it as `file`" }
          : { file },
      };
    }
    case "graphql":
      return graphqlBody(body["graphql"], variables);
    default:
      return {};
  }
}

/**
 * As Postman sends JSON: without comments. A line break is white space, whichever it
 * is. A text or a comment that does not end goes on to the end.
 */
function jsonText(written: string): string {
  return written.replaceAll("\r\n", "\n").replaceAll(
    /("(?:[^"\\]|\\[^])*"?|\/\*(?:[^*]|\*(?!\/))*$)|\/\/.*|\/\*[^]*?\*\//g,
    (_, text: string | undefined) => text ?? "",
  ).trim();
}

/** The media type of a part, where the collection says one, goes with it. */
function multipartBody(
  parts: readonly JsonObject[],
  variables: Variables,
): { readonly body?: RequestBody } {
  if (parts.length === 0) return {};
  const fields = parts.flatMap((each): (MultipartField | undefined)[] => {
    const name = variables.in(textOrEmpty(each["key"]));
    const type = variables.in(textOrEmpty(each["contentType"]));
    const typed = type !== "" && { type };
    const called = variables.in(textOrEmpty(each["fileName"]));
    const named = called !== "" && { name: called };
    if (each["type"] !== "file") {
      const text = variables.in(textOrEmpty(each["value"]));
      return [[name, typed ? { text, ...typed } : text]];
    }
    // A collection need not say which file it is: the field is its name.
    const written = [each["src"] ?? []].flat().map(textOrEmpty);
    const sources = written.length === 0 ? [textOrEmpty(each["key"])] : written;
    return sources.map(fileName).map((file) =>
      file === undefined ? file : [name, { file, ...typed, ...named }]
    );
  });
  const sent = fields.filter((each) => each !== undefined);
  const isWhole = sent.length === fields.length && isInOrder(sent);
  const names = shownNames(parts.map((each) => textOrEmpty(each["key"])));
  return {
    body: isWhole ? { multipart: sent } : {
      unsendable: `a multipart form${names}: write it as \`multipart\``,
    },
  };
}

/**
 * The file as a flow names it, beside itself: a path that leads out of there is one
 * of another machine, and a collection of another person does not decide what is sent.
 */
function fileName(path: string): string | undefined {
  const parts = path.split(/[\\/]/);
  const isOutside = /^(?:[\\/]|[A-Za-z]:)/.test(path) || parts.includes("..");
  const own = isOutside ? parts.at(-1)! : path;
  return isFilePath(own) && !own.includes(":") ? own : undefined;
}

const JSON_TYPE = "application/json";
const RAW_TYPES: ReadonlyMap<string, string> = new Map([
  ["json", JSON_TYPE],
  ["xml", "application/xml"],
  ["html", "text/html"],
  ["javascript", "application/javascript"],
]);

function fieldsOf(
  list: JsonValue | undefined,
  variables: Variables,
): [string, string][] {
  return enabled(list).map((each) => [
    variables.in(textOrEmpty(each["key"])),
    variables.in(textOrEmpty(each["value"])),
  ]);
}

function graphqlBody(
  block: JsonValue | undefined,
  variables: Variables,
): { readonly body: RequestBody } {
  const { query = "", variables: given = "", operationName } = isObject(block)
    ? block
    : {};
  // A template alone in a text is sent with its type: as the number that stood here.
  const text = quoteTemplates(
    variables.in(textOrEmpty(given)),
    (each) => variables.mayBeNumber(each),
  );
  const values = bodyOf(text, JSON_TYPE);
  if (values && !("json" in values)) {
    const unsendable = "a GraphQL request whose variables are no JSON";
    return { body: { unsendable } };
  }
  return {
    body: {
      json: {
        query: variables.in(textOrEmpty(query)),
        ...(values && { variables: values.json }),
        ...(typeof operationName === "string" && operationName !== "" &&
          { operationName }),
      },
    },
  };
}
