import { shortened } from "../base/text/display.ts";
import { readable } from "../base/values/canonical.ts";
import { isObject, type JsonValue, valuesOf } from "../base/values/json.ts";
import { typedValue } from "../language/expressions/mismatch.ts";
import {
  type ContractResult,
  type Violation,
  violationKey,
} from "../model/result/contract.ts";
import type { StepResponse } from "../model/result/response.ts";
import {
  type Contract,
  type DescribedOperation,
  mediaType,
} from "./contract.ts";
import { mayBe, PathIndex } from "./paths.ts";
import {
  type ErrorObject,
  reasonOf,
  SchemaCompiler,
  type ValidateFunction,
} from "./schema_compiler.ts";

/** Every error of a longer body might be more than the body. */
const MOST_BYTES = 64 * 1024;
/** Of one response: errors that are compared with each other, and those that are reported. */
const MOST_ERRORS = 200;
const MOST_VIOLATIONS = 20;

/** One exchange of HTTP. */
type Exchange = NonNullable<ReturnType<NonNullable<StepResponse["exchange"]>>>;

/** Holds responses against a description. */
export class ContractCheck {
  readonly #paths: ReadonlyMap<string, PathIndex<DescribedOperation>>;
  readonly #prefixes: readonly string[];
  readonly #all: SchemaCompiler;
  /** Stops at the first error. */
  readonly #first: SchemaCompiler;
  readonly #places = new WeakMap<object, string>();
  readonly #compiled = new Map<JsonValue, Validators>();

  /** @param base the path of the target's first base URL, empty or such as `/api` */
  constructor(readonly contract: Contract, readonly base: string) {
    const { operations, prefixes, defs } = contract;
    const byMethod = Map.groupBy(operations, ({ method }) => method);
    this.#paths = new Map(
      [...byMethod].map(([method, some]) => [
        method,
        new PathIndex(some.map((each) => [each.path, each])),
      ]),
    );
    this.#prefixes = [...new Set([...prefixes, base, ""])]
      .toSorted((a, b) => b.length - a.length);
    notePlaces(defs, "", this.#places);
    this.#all = new SchemaCompiler(defs, true);
    this.#first = new SchemaCompiler(defs, false);
  }

  /**
   * Compiles what these calls may need, so that no request waits for it.
   *
   * @param calls such as `GET /pets/{{ pet }}`
   * @throws {Error} for a schema that cannot be used
   */
  prepare(calls: readonly string[]): void {
    for (const operation of this.contract.operations) {
      if (!calls.some((call) => this.#mayReach(call, operation))) continue;
      for (const { content = {} } of Object.values(operation.responses)) {
        for (const schema of Object.values(content)) {
          try {
            this.#validators(schema);
          } catch (error) {
            throw new Error(
              `${this.contract.file}: a schema of ${operation.name} cannot be used: ${
                reasonOf(error as Error)
              }`,
            );
          }
        }
      }
    }
  }

  #mayReach(call: string, { method, path }: DescribedOperation): boolean {
    const [verb = "", url = ""] = call.split(/ (.*)/s);
    return verb === method &&
      this.#prefixes.some((prefix) =>
        mayBe(url, prefix + path) || mayBe(this.base + url, prefix + path)
      );
  }

  /** How a response fits; undefined for one that there is nothing to hold against. */
  hold(response: StepResponse): ContractResult | undefined {
    const exchange = response.exchange?.();
    const { status } = response;
    if (!exchange || status === undefined) return;
    const operation = this.#find(exchange);
    if (!operation) return { status, violations: [] };
    return {
      operation: operation.name,
      status,
      violations: this.#violations(operation, status, exchange, response),
    };
  }

  #find({ method, path }: Exchange): DescribedOperation | undefined {
    const paths = this.#paths.get(method);
    if (!paths) return;
    for (const prefix of this.#prefixes) {
      if (!path.startsWith(prefix)) continue;
      const found = paths.find(path.slice(prefix.length) || "/");
      if (found) return found;
    }
  }

  #violations(
    { responses }: DescribedOperation,
    status: number,
    { method, bodyBytes }: Exchange,
    response: StepResponse,
  ): readonly Violation[] {
    const range = `${Math.floor(status / 100)}XX`;
    const described = responses[status] ?? responses[range] ??
      responses["DEFAULT"];
    if (!described) {
      return [{
        rule: "status",
        message: `status ${status} is not described`,
        expected: one(Object.keys(responses)),
        actual: typedValue(status),
      }];
    }
    const { content } = described;
    if (method === "HEAD" || status === 304) return NONE;
    if (!content || Object.keys(content).length === 0) {
      return bodyBytes === 0 ? NONE : [{
        rule: "body",
        message: "there is a body, and none is described",
      }];
    }
    if (bodyBytes === 0) {
      return [{ rule: "body", message: "there is no body" }];
    }
    return this.#inBody(content, bodyBytes, response);
  }

  #inBody(
    content: Readonly<Record<string, JsonValue>>,
    bodyBytes: number,
    response: StepResponse,
  ): readonly Violation[] {
    const [field = ""] = response.headers("content-type");
    const type = mediaType(field);
    const schema = content[type] ?? content[type.replace(/\/.*/, "/*")] ??
      content["*/*"];
    if (schema === undefined) {
      return [{
        rule: "media-type",
        message: type === ""
          ? "the body has no `Content-Type`"
          : `media type ${type} is not described`,
        expected: one(Object.keys(content)),
        actual: typedValue(type === "" ? undefined : type),
      }];
    }
    if (!/[/+]json$/.test(type)) return NONE;
    const body = response.json();
    if (body !== undefined) return this.#inJson(schema, body, bodyBytes);
    return response.bodyFailure
      ? NONE
      : [{ rule: "body", message: "the body is not JSON" }];
  }

  #inJson(
    schema: JsonValue,
    body: JsonValue,
    bodyBytes: number,
  ): readonly Violation[] {
    try {
      const { all, first } = this.#validators(schema);
      const validate = bodyBytes > MOST_BYTES ? first : all;
      if (validate(body)) return NONE;
      // Integers beyond 2^53 are no numbers to the library.
      if (hasLong(body) && validate(withNumbers(body))) return NONE;
      const errors = (validate.errors ?? []).slice(0, MOST_ERRORS);
      // Those of items that are alike are one.
      const violations = new Map<string, Violation>();
      for (const each of this.#placed(errors).map(violationOf)) {
        const key = violationKey(each);
        if (!violations.has(key)) violations.set(key, each);
      }
      return [...violations.values()].slice(0, MOST_VIOLATIONS);
    } catch (error) {
      return [{
        rule: "schema",
        message: `the body cannot be checked: ${reasonOf(error as Error)}`,
      }];
    }
  }

  #placed(errors: readonly ErrorObject[]): readonly Placed[] {
    return essential(errors.map((each) => {
      const around = this.#places.get(each.parentSchema ?? {}) ?? "";
      const at = around === "" ? each.keyword : `${around}/${each.keyword}`;
      return { ...each, at };
    }));
  }

  #validators(schema: JsonValue): Validators {
    const reference = isObject(schema) && schema["$ref"];
    const key = typeof reference === "string" ? reference : schema;
    return this.#compiled.getOrInsertComputed(key, () => {
      notePlaces(schema, "", this.#places);
      return {
        all: this.#all.compile(schema),
        first: this.#first.compile(schema),
      };
    });
  }
}

/** The functions that a schema is compiled to. */
interface Validators {
  readonly all: ValidateFunction;
  readonly first: ValidateFunction;
}

const NONE: readonly Violation[] = [];

/** One of these, as the expected value. */
function one(words: readonly string[]): Violation["expected"] & object {
  return { type: "list", text: words.join(", "), operator: "one of" };
}

function hasLong(value: JsonValue): boolean {
  return valuesOf(value).some(([each]) => typeof each === "bigint");
}

function withNumbers(value: JsonValue): JsonValue {
  return JSON.parse(
    JSON.stringify(
      value,
      (_, each) => typeof each === "bigint" ? Number(each) : each,
    ),
  );
}

/** An error with its place in the description. */
interface Placed extends ErrorObject {
  readonly at: string;
}

/** Errors without those of the parts of a choice that failed as a whole. */
function essential(errors: readonly Placed[]): readonly Placed[] {
  return errors.filter((each, index) =>
    !errors.slice(index + 1).some((later) => explains(later, each)) &&
    !(isLeftOver(each) && errors.some((other) => isBelow(other, each)))
  );
}

/** Whether an error only says that no part of the schema that holds has a property. */
function isLeftOver({ keyword }: Placed): boolean {
  return keyword.startsWith("unevaluated");
}

function isBelow(other: Placed, { instancePath }: Placed): boolean {
  return !isLeftOver(other) && other.instancePath.startsWith(instancePath);
}

function explains(choice: Placed, { at, instancePath }: Placed): boolean {
  if (choice.keyword !== "anyOf" && choice.keyword !== "oneOf") return false;
  if (!instancePath.startsWith(choice.instancePath)) return false;
  const around = choice.at.slice(0, choice.at.lastIndexOf("/"));
  return at.startsWith(`${choice.at}/`) || !at.startsWith(around);
}

/** Keywords whose error names a property: the object itself would say little. */
const OF_PROPERTIES = /required|Properties|dependent/;

function violationOf(
  { keyword, instancePath, params, data, message = "", schema, at }: Placed,
): Violation {
  const extra = params["additionalProperty"] ?? params["unevaluatedProperty"];
  const what = extra !== undefined
    ? `${message}: ${extra}`
    : keyword === "type"
    ? message.replace(",", " or ")
    : message;
  const where = instancePath === "" ? "the body" : instancePath;
  const choice = keyword === "enum" && Array.isArray(schema)
    ? one(schema.map((each) => readable(each)))
    : keyword === "const"
    ? typedValue(schema as unknown as JsonValue)
    : undefined;
  return {
    rule: "schema",
    schema: at,
    message: shortened(`${where} ${what}`),
    ...(choice && { expected: choice }),
    ...(!OF_PROPERTIES.test(keyword) &&
      { actual: typedValue(data as JsonValue) }),
  };
}

/** Where each part of a schema is, from its name on. */
function notePlaces(
  schema: JsonValue,
  at: string,
  places: WeakMap<object, string>,
): void {
  if (typeof schema !== "object" || schema === null) return;
  places.set(schema, at);
  for (const [key, each] of Object.entries(schema)) {
    notePlaces(each, at === "" ? key : `${at}/${key}`, places);
  }
}
