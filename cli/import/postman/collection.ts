import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { jsonOfFile } from "../draft/json_file.ts";
import {
  isDeeper,
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../../../lib/base/values/json.ts";

/** Levels of a file: folders in folders, with their requests and bodies. */
const MOST_LEVELS = 100;
/** Requests of a collection; a flow has no more steps. */
const MOST_REQUESTS = 1_000;

/** A variable of a collection or an environment. */
export interface Variable {
  readonly value: string;
  /** Its owner says that it is one. */
  readonly secret: boolean;
}

/** One request of a collection, with what its folders say of it. */
export interface Item {
  readonly name: string;
  readonly request: JsonObject;
  /** Whether its body is sent with any method. */
  readonly keepsBody: boolean;
  /** Of the request, else of the nearest folder that has one; the collection is the last. */
  readonly auth: JsonObject | undefined;
  /** Status of its first saved example. */
  readonly status: number | undefined;
  /** Its own, and the test scripts of its folders and of the collection, which come first. */
  readonly scripts: readonly Script[];
}

/** A script before a request, or behind its response. */
interface Script {
  readonly kind: "pre-request" | "test";
  /** The collection or the folder whose requests all have it. */
  readonly owner?: string;
  readonly code: string;
  /** Those that are no comment. */
  readonly lines: number;
}

/** A collection as far as a flow can use it. */
export interface Collection {
  readonly name: string;
  /** The items of the collection; of one folder at the top where that was asked for. */
  readonly items: readonly Item[];
  readonly variables: ReadonlyMap<string, Variable>;
  /** Notes of scripts before the requests of the collection and of folders. */
  readonly scripts: readonly string[];
}

/**
 * Reads a collection (format v2.0 or v2.1).
 *
 * @param folder the one folder at the top to take
 * @throws {Refused} when it is none, or has no requests
 */
export function readCollection(
  text: string,
  file: string,
  folder?: string,
): Collection {
  const root = parsed(text, file);
  const { info, item } = root;
  if (!isObject(info) || !Array.isArray(item)) {
    throw new Refused(
      `${file} is not a Postman collection: it has no \`info\` and \`item\``,
      "export it as Collection v2.1",
    );
  }
  const folders = item.filter(isObject);
  const chosen = folder === undefined
    ? folders
    : folders.filter((each) => each["name"] === folder && each["item"]);
  if (chosen.length === 0 && folder !== undefined) {
    const names = folders.filter((each) => each["item"]).slice(0, 50)
      .map((each) => textOrEmpty(each["name"]));
    throw new Refused(
      `there is no folder "${folder}" at the top of the collection`,
      names.length > 0
        ? `folders: ${names.join(", ")}`
        : "it has no folders: leave --tag out",
    );
  }
  const found: Found = { items: [], scripts: [] };
  const scripts = sharedScripts(root, "the collection", found);
  const auth = authOf(root);
  const keepsBody = keepsBodyOf(root) ?? false;
  for (const each of chosen) {
    collect(each, { auth, scripts, keepsBody }, found);
  }
  if (found.items.length === 0) {
    throw new Refused(`${file} has no requests`);
  }
  return {
    ...found,
    name: textOrEmpty(info["name"]),
    variables: variablesOf(root["variable"]),
  };
}

/**
 * The names of the folders at the top of a collection.
 *
 * @throws {Refused} when it is none, or has none
 */
export function topFolders(text: string, file: string): string[] {
  const { item } = parsed(text, file);
  const items: readonly JsonValue[] = Array.isArray(item) ? item : [];
  const names = items.filter(isObject).filter((each) => each["item"])
    .map((each) => textOrEmpty(each["name"]));
  if (names.length > 0) return [...new Set(names)];
  throw new Refused(
    `${file} has no folders at its top`,
    "without --mix it becomes one flow",
  );
}

/** The variables of an environment file. @throws {Refused} when it is none */
export function readEnvironment(
  text: string,
  file: string,
): ReadonlyMap<string, Variable> {
  const { values } = parsed(text, file);
  if (Array.isArray(values)) return variablesOf(values);
  throw new Refused(
    `${file} is not a Postman environment: it has no \`values\``,
    "export the environment as JSON",
  );
}

function parsed(text: string, file: string): JsonObject {
  const value = jsonOfFile(text.toWellFormed(), file);
  if (isDeeper(value, MOST_LEVELS)) {
    throw new Refused(
      `${file} has lists and objects more than ${MOST_LEVELS} levels deep`,
      "export the folder you need as a collection of its own",
    );
  }
  // Earlier exports wrap the collection.
  const inner = isObject(value) ? value["collection"] : undefined;
  if (isObject(inner)) return inner;
  return isObject(value) ? value : {};
}

interface Found {
  readonly items: Item[];
  readonly scripts: string[];
}

function collect(
  item: JsonObject,
  inherited: Pick<Item, "auth" | "scripts" | "keepsBody">,
  found: Found,
): void {
  const name = textOrEmpty(item["name"]);
  const auth = authOf(item) ?? inherited.auth;
  const keepsBody = keepsBodyOf(item) ?? inherited.keepsBody;
  if (Array.isArray(item["item"])) {
    const scripts = [
      ...inherited.scripts,
      ...sharedScripts(item, `folder ${name}`, found),
    ];
    for (const each of item["item"].filter(isObject)) {
      collect(each, { auth, scripts, keepsBody }, found);
    }
    return;
  }
  const request = typeof item["request"] === "string"
    ? { url: item["request"] }
    : item["request"];
  if (!isObject(request)) return;
  if (found.items.length === MOST_REQUESTS) {
    throw new Refused(
      `the collection has more than ${MOST_REQUESTS} requests, but a flow has at most as many steps`,
      "take one folder with --tag <folder>",
    );
  }
  const [example] = objectsIn(item["response"]);
  const status = Number(example?.["code"]);
  found.items.push({
    name,
    request,
    keepsBody,
    auth: authOf(request) ?? auth,
    status: Number.isInteger(status) && status >= 100 ? status : undefined,
    scripts: [...inherited.scripts, ...scriptsOf(item)],
  });
}

/** Undefined where nothing is said. */
function keepsBodyOf(
  { protocolProfileBehavior: behavior }: JsonObject,
): boolean | undefined {
  const said = isObject(behavior) ? behavior["disableBodyPruning"] : undefined;
  return typeof said === "boolean" ? said : undefined;
}

function authOf({ auth }: JsonObject): JsonObject | undefined {
  return isObject(auth) && auth["type"] !== "inherit" ? auth : undefined;
}

function scriptsOf({ event }: JsonObject): Script[] {
  return objectsIn(event).map(({ listen, script }): Script => {
    const { exec = [] } = isObject(script) ? script : {};
    const code = [exec].flat().map(String).join("\n");
    const lines = code.split("\n")
      .filter((each) => each.trim() !== "" && !/^\s*\/\//.test(each)).length;
    return { kind: listen === "test" ? "test" : "pre-request", code, lines };
  }).filter(({ lines }) => lines > 0);
}

/** The test scripts of a folder; the others are noted. */
function sharedScripts(
  folder: JsonObject,
  owner: string,
  { scripts }: Found,
): Script[] {
  const [tests = [], others = []] = [true, false].map((isTest) =>
    scriptsOf(folder).filter(({ kind }) => (kind === "test") === isTest)
  );
  for (const { kind, lines } of others) {
    scripts.push(scriptNote(`the ${kind} script of ${owner}`, lines));
  }
  return tests.map((each) => ({ ...each, owner }));
}

/** The note of a script that a person has to write by hand. */
export function scriptNote(what: string, lines: number): string {
  return `${what} (${lines} ${
    lines === 1 ? "line" : "lines"
  }) is not taken over: a flow has \`assert\`, \`extract\` and \`values\` for it`;
}

function variablesOf(
  list: JsonValue | undefined,
): ReadonlyMap<string, Variable> {
  const found = new Map<string, Variable>();
  for (const each of enabled(list)) {
    const name = textOrEmpty(each["key"] ?? each["id"]);
    const value = each["value"] ?? "";
    if (name === "" || typeof value === "object") continue;
    found.set(name, {
      value: String(value),
      secret: each["type"] === "secret",
    });
  }
  return found;
}

/** The objects of a list without those that are switched off. */
export function enabled(list: JsonValue | undefined): JsonObject[] {
  return objectsIn(list)
    .filter((each) => each["disabled"] !== true && each["enabled"] !== false);
}

export function textOrEmpty(value: JsonValue | undefined): string {
  return value === undefined || value === null || typeof value === "object"
    ? ""
    : String(value);
}
