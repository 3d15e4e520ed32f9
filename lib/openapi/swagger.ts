import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../base/values/json.ts";

/** A node, through its `$ref` when it has one. */
type Resolve = (node: JsonValue | undefined) => JsonObject;

/**
 * A description of version 2.0 (Swagger) in the words of version 3.0. Schemas are those of
 * the file, so that references in them lead where they led.
 */
export function upgraded(root: JsonObject, resolve: Resolve): JsonObject {
  return {
    ...root,
    openapi: "3.0.3",
    servers: [{ url: serverOf(root) }],
    components: {
      securitySchemes: mapped(
        resolve(root["securityDefinitions"]),
        (each) => securityScheme(resolve(each)),
      ),
    },
    paths: mapped(
      resolve(root["paths"]),
      (each) => pathItem(resolve(each), root, resolve),
    ),
  };
}

function mapped(
  members: JsonObject,
  change: (value: JsonValue) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, each]) => [name, change(each)]),
  );
}

function serverOf({ host, basePath, schemes }: JsonObject): string {
  const path = typeof basePath === "string" ? basePath : "/";
  if (typeof host !== "string" || host === "") return path;
  const isHere = /^(?:localhost|127\.|\[::1\])/.test(host);
  const scheme = textsIn(schemes).find((each) => /^https?$/.test(each)) ??
    (isHere ? "http" : "https");
  return `${scheme}://${host}${path}`;
}

function securityScheme(scheme: JsonObject): JsonObject {
  if (scheme["type"] === "basic") return { type: "http", scheme: "basic" };
  const { tokenUrl, flow } = scheme;
  return flow === "application" && tokenUrl !== undefined
    ? { ...scheme, flows: { clientCredentials: { tokenUrl } } }
    : scheme;
}

const METHOD = /^(?:get|head|post|put|patch|delete|options)$/;

function pathItem(
  { parameters, ...item }: JsonObject,
  root: JsonObject,
  resolve: Resolve,
): JsonObject {
  const shared = objectsIn(parameters);
  return Object.fromEntries(
    Object.entries(item).map(([name, each]) => [
      name,
      METHOD.test(name)
        ? operation(resolve(each), shared, root, resolve)
        : each,
    ]),
  );
}

function operation(
  own: JsonObject,
  shared: readonly JsonObject[],
  root: JsonObject,
  resolve: Resolve,
): JsonObject {
  const all = new Map(
    [...shared, ...objectsIn(own["parameters"])].map(resolve)
      .map((each) => [`${each["in"]} ${each["name"]}`, each]),
  );
  const placed = Map.groupBy(all.values(), (each) => each["in"]);
  const [body] = placed.get("body") ?? [];
  const fields = placed.get("formData") ?? [];
  const consumes = textsIn(own["consumes"] ?? root["consumes"]);
  const produces = textsIn(own["produces"] ?? root["produces"]);
  const content = body
    ? byType(consumes, "application/json", { schema: body["schema"] ?? {} })
    : fields.length > 0
    ? formContent(fields, consumes)
    : undefined;
  return {
    ...own,
    parameters: ["path", "query", "header"].flatMap((place) =>
      (placed.get(place) ?? []).map(parameter)
    ),
    ...(content && { requestBody: { content } }),
    responses: mapped(resolve(own["responses"]), (node) => {
      const known = resolve(node);
      return Object.keys(known).length === 0 ? node : response(known, produces);
    }),
  };
}

function byType(
  types: readonly string[],
  otherwise: string,
  media: JsonObject,
): JsonObject {
  const all = types.length === 0 ? [otherwise] : types;
  return Object.fromEntries(all.map((each) => [each, media]));
}

function formContent(
  fields: readonly JsonObject[],
  consumes: readonly string[],
): JsonObject {
  const hasFile = fields.some(({ type }) => type === "file");
  const isMultipart = hasFile ||
    consumes.some((each) => each.startsWith("multipart/")) &&
      !consumes.includes(FORM);
  const schema = {
    type: "object",
    required: fields.filter(({ required }) => required === true)
      .map(({ name }) => String(name)),
    properties: Object.fromEntries(
      fields.map((each) => [String(each["name"]), schemaOf(each)]),
    ),
  };
  return { [isMultipart ? "multipart/form-data" : FORM]: { schema } };
}

const FORM = "application/x-www-form-urlencoded";

/** The keywords of a parameter that are those of a schema in version 3.0. */
const OF_SCHEMA = `type format items default enum multipleOf maximum minimum
  exclusiveMaximum exclusiveMinimum maxLength minLength pattern maxItems
  minItems uniqueItems`.split(/\s+/);

function schemaOf(parameter: JsonObject): JsonObject {
  const schema = Object.fromEntries(
    Object.entries(parameter).filter(([name]) => OF_SCHEMA.includes(name)),
  );
  const example = parameter["x-example"] ?? parameter["example"];
  return {
    ...schema,
    ...(schema["type"] === "file" && { type: "string", format: "binary" }),
    ...(example !== undefined && { example }),
  };
}

/** Styles of lists in a query; elsewhere commas are between their values. */
const STYLES: Readonly<Record<string, JsonObject>> = {
  multi: { style: "form", explode: true },
  ssv: { style: "spaceDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
};

function parameter(own: JsonObject): JsonObject {
  const { name, in: place, required = false } = own;
  const format = String(own["collectionFormat"]);
  const style = place === "query" && Object.hasOwn(STYLES, format)
    ? STYLES[format]!
    : { explode: false };
  return {
    ...{ name: name ?? "", in: place ?? "", required, schema: schemaOf(own) },
    ...style,
  };
}

function response(
  { schema, examples, ...rest }: JsonObject,
  produces: readonly string[],
): JsonObject {
  if (!isObject(schema)) return rest;
  const said = isObject(examples) ? examples : {};
  const media = schema["type"] === "file" ? {} : { schema };
  const types = [...new Set([...produces, ...Object.keys(said)])];
  return { ...rest, content: byType(types, "*/*", media) };
}

function textsIn(list: JsonValue | undefined): string[] {
  return Array.isArray(list)
    ? list.filter((each) => typeof each === "string")
    : [];
}
