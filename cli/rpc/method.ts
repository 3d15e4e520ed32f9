import * as v from "valibot";
import { ErrorCodes, ResponseError } from "vscode-jsonrpc";
import { didYouMean } from "../../lib/base/text/suggest.ts";
import { parseDuration } from "../../lib/base/values/duration.ts";
import { recordOf } from "../../lib/base/values/record_schema.ts";
import { describeIssues } from "../../lib/language/fields/issues.ts";
import { documentSchema } from "../../lib/language/source/document.ts";
import { MODES } from "../../lib/model/mode.ts";
import { parseValue } from "../options/command.ts";
import type { FlagsOf, Kind, Option, Options } from "../options/option.ts";
import type { PreparedRun } from "../../lib/compile.ts";
import type { InputEnvironment } from "../inputs/environment.ts";
import type { Console } from "../terminal/console.ts";
import type { Cancellation } from "./cancellation.ts";

/** The text of a parameter, for a client that asks what there is. */
export function said<Schema extends v.GenericSchema>(
  schema: Schema,
  about: string,
): v.SchemaWithPipe<
  readonly [Schema, v.DescriptionAction<v.InferOutput<Schema>, string>]
> {
  return v.pipe(schema, v.description(about));
}

/** The forms of a flow that a person writes. */
const WRITTEN = {
  path: v.exactOptional(
    said(v.string(), "a flow file, such as flows/shop.bench.yaml"),
  ),
  text: v.exactOptional(said(v.string(), "the text of a flow file")),
};

/** The forms of a flow that a program makes. */
const MADE = {
  /** A flow that a program wrote. */
  document: v.exactOptional(documentSchema),
  /** The internal representation, as text. */
  ir: v.exactOptional(v.string()),
  /** Paths in a document, text or IR are relative to it; the current one when absent. */
  directory: v.exactOptional(v.string()),
};

/** A flow in exactly one of these forms. */
function flowOf<Forms extends v.ObjectEntries>(forms: Forms) {
  const names = Object.keys(forms).filter((each) => each !== "directory");
  return v.pipe(
    v.strictObject(forms),
    v.check(
      (given) => names.filter((each) => each in given).length === 1,
      `\`flow\` takes exactly one of ${names.join(", ")}`,
    ),
  );
}

const flow = flowOf({ ...WRITTEN, ...MADE });
export const writtenFlow = flowOf(WRITTEN);

/** A name or a path. */
export const targetFile = said(
  v.string(),
  "the name of a target in targets/, or the path of its file",
);

/** A name, a path or a URL; or what a program wrote. */
export const target = v.union([
  targetFile,
  v.strictObject({ document: documentSchema }),
]);
export type TargetParam = v.InferOutput<typeof target>;

/** The type of parameters that were read. */
type Given<Own extends v.ObjectEntries> = v.InferOutput<
  v.StrictObjectSchema<Own, undefined>
>;

/** Parameters of every method. */
export const surroundings = {
  /** In place of the environment of this process. */
  env: v.exactOptional(recordOf(v.string(), v.string())),
  /** In place of the current directory of this process. */
  cwd: v.exactOptional(v.string()),
};
export type Surroundings = Given<typeof surroundings>;

/** Parameters of a method about a flow whose mode is its own. */
export const ofFlow = { flow, ...surroundings };

/** Parameters of a method about a flow. */
export const request = {
  ...ofFlow,
  /** In place of the profile's. */
  mode: v.exactOptional(
    said(v.picklist(MODES), "in place of the mode of the flow's profile"),
  ),
};
export type RequestParams = Given<typeof request>;

/** A run id of the store, or the path of a run directory. */
export const storedRun = said(
  v.string(),
  "the id of a stored run, or `latest`",
);

/** The members that an object may have, by name; none of another value. */
function entriesOf(schema: v.GenericSchema): v.ObjectEntries {
  return (schema as { entries?: v.ObjectEntries }).entries ?? {};
}

/** Where an unknown parameter belongs, or which one was meant. */
function wayOut(entries: v.ObjectEntries, key: string): string {
  const holder = Object.entries(entries).find(([, each]) =>
    Object.hasOwn(entriesOf(each as v.GenericSchema), key)
  );
  if (holder) return `: it is a key of \`${holder[0]}\``;
  const hint = didYouMean(key, Object.keys(entries));
  return hint === undefined ? "" : `: ${hint}`;
}

/** @throws {ResponseError} that says what is wrong with the parameters */
export function readParams<Schema extends v.GenericSchema>(
  schema: Schema,
  params: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, params ?? {});
  if (result.success) return result.output;
  const entries = entriesOf(schema);
  const said = describeIssues(result.issues).map(({ at, message }) => {
    const [, key = ""] = /^unknown key `(.+)`$/.exec(message) ?? [];
    const way = at === `/${key}` ? wayOut(entries, key) : "";
    return at === "" ? message : `${at}: ${message}${way}`;
  });
  throw new ResponseError(ErrorCodes.InvalidParams, said.join("\n"));
}

/** The unit of an option as a parameter. */
export const UNITS: Readonly<Partial<Record<Kind["type"], string>>> = {
  texts: "A list of texts.",
  percentage: "A share: 0.05 is 5%.",
  duration: "Seconds.",
};

function aboutParam({ about, kind }: Option): string {
  if (kind.type === "off") return `false: ${about}`;
  const unit = UNITS[kind.type];
  const text = about.replace("; may be repeated", "");
  return unit === undefined ? text : `${text}. ${unit}`;
}

/** The name of an option as a parameter. */
export function paramName(key: string, { kind, param }: Option): string {
  return param ?? (kind.type === "duration" ? `${key}_s` : key);
}

/** Options as parameters: the same values, checked the same way. */
export function paramsOf(options: Options): Record<string, v.GenericSchema> {
  const params = Object.entries(options).map(([key, option]) => {
    const schema = said(schemaOf(option.kind), aboutParam(option));
    const absent = absentValue(option);
    return [
      paramName(key, option),
      absent === undefined
        ? v.exactOptional(schema)
        : v.optional(schema, absent),
    ];
  });
  return Object.fromEntries(params);
}

/** Parameters as the flags of a command. */
export function flagsOf<Table extends Options>(
  options: Table,
  params: Readonly<Record<string, unknown>>,
): FlagsOf<Table> {
  const flags = Object.entries(options).flatMap(([key, option]) => {
    const value = params[paramName(key, option)];
    if (value === undefined) return [];
    const name = key.replaceAll(
      /_([a-z])/g,
      (_, letter: string) => letter.toUpperCase(),
    );
    const seconds = option.kind.type === "duration";
    return [[name, seconds ? value as number * 1e6 : value]];
  });
  return Object.fromEntries(flags) as FlagsOf<Table>;
}

/** The value of an option that a program does not name. It says a duration in seconds. */
function absentValue({ kind, fallback }: Option): unknown {
  if (kind.type === "off") return true;
  if (fallback === undefined) return undefined;
  const value = parseValue(kind, fallback);
  return kind.type === "duration" ? value as number / 1e6 : value;
}

function schemaOf(kind: Kind): v.GenericSchema {
  const number = v.number();
  switch (kind.type) {
    case "switch":
    case "off":
      return v.boolean();
    case "texts":
      return v.array(v.string());
    case "whole": {
      const { min, max } = kind;
      return v.pipe(number, v.integer(), v.minValue(min), v.maxValue(max));
    }
    case "positive":
      return v.pipe(number, v.gtValue(0));
    case "percentage":
      return v.pipe(number, v.gtValue(0), v.maxValue(1));
    case "duration": {
      const least = parseDuration(kind.leastOfProgram) / 1e6;
      return v.pipe(number, v.minValue(least));
    }
    case "words":
      return v.picklist(kind.words);
    case "text":
    case "own":
      return v.string();
  }
}

/** The request of a method's body, besides its parameters. */
export interface Call {
  /** In place of the machine's. */
  readonly environment?: InputEnvironment;
  /** Called before anything is sent. @throws {BenchError} for a run that is not allowed */
  readonly admit?: (prepared: PreparedRun) => void;
  readonly cancellation: Cancellation;
  /** Sends the client something that it did not request. */
  readonly notify: (method: string, params: unknown) => void;
  readonly console: Console;
}

/** A method that has its turn after the requests before it. */
export interface Method {
  /** A line about it, for a client that asks what there is. */
  readonly about: string;
  /** Its parameters, the options among them. */
  readonly entries: v.ObjectEntries;
  /** Options of commands that are parameters of it. */
  readonly options: Options;
  readonly params: v.GenericSchema<unknown, Surroundings>;
  readonly body: (params: Surroundings, call: Call) => Promise<unknown>;
}

/**
 * States a method.
 *
 * @param about a line about it
 * @param own its parameters besides the options
 */
export function method<
  Own extends typeof surroundings & v.ObjectEntries,
  const Table extends Options,
>(
  about: string,
  own: Own,
  options: Table,
  body: (
    params: Given<Own> & { readonly flags: FlagsOf<Table> },
    call: Call,
  ) => Promise<unknown>,
): Method {
  const entries: v.ObjectEntries = { ...paramsOf(options), ...own };
  return {
    ...{ about, entries, options },
    params: v.strictObject(entries) as unknown as Method["params"],
    body(params, call) {
      const flags = flagsOf(options, { ...params });
      const read = params as Given<Own>;
      return body({ ...read, flags }, call);
    },
  };
}
