import { isAbsolute, join } from "../../base/values/paths.ts";
import { compileSelector } from "../../language/html/selector.ts";
import { createHash, type Hash } from "node:crypto";
import {
  below,
  InputError,
  isError,
  type Report,
  type Wording,
} from "../../base/text/diagnostic.ts";
import { UnreadInput } from "../../base/text/read_input.ts";
import { nearest } from "../../base/text/suggest.ts";
import { child, type JsonValue, leavesOf } from "../../base/values/json.ts";
import { SHA256_OF_NOTHING } from "../../base/values/sha256.ts";
import {
  parseTemplate,
  quote,
  type Reference,
} from "../../language/expressions/template.ts";
import type { BlockDiagnostic } from "../../language/flow/registry.ts";
import { placedSteps } from "../../language/flow/flow.ts";
import type { Flow, Target } from "../../language/ir.ts";
import { flowCredentials } from "../../language/validate/credentials.ts";
import {
  flowStrings,
  referencedEnv,
} from "../../language/validate/environment.ts";
import { checkHosts } from "../../language/validate/urls.ts";
import { plural } from "../../results/report/figures.ts";
import { protocols, registry } from "../../steps/registry.ts";
import {
  AllowList,
  type BaseUrl,
  parseBaseUrl,
  resolveUrl,
} from "../../wire/net/url.ts";
import { readFixture } from "../data/fixture.ts";
import type { Fixture } from "../data/table.ts";
import { checkBody } from "./body_checks.ts";
import type { Environment, FlowFiles, ReadFlow } from "./prepared_run.ts";

/** The base URLs of a target, ready for the wire. */
export function basesOf(target: Target): readonly [BaseUrl, ...BaseUrl[]] {
  const [first, ...rest] = target.base_urls.map(parseBaseUrl);
  if (!first) throw new TypeError("a target needs at least one base URL");
  return [first, ...rest];
}

/** Relative URLs are the same with any. */
const ANY_BASE = parseBaseUrl("http://localhost");

const TO_ALLOW_IT =
  "list the host under `base_urls` of the target, if it may be contacted";

/**
 * Reports every URL known before the run that is none, or that the target does not
 * allow.
 *
 * @param bases of the target; without one no host is refused
 */
export function checkAllowed(
  flow: Flow,
  bases: readonly [BaseUrl, ...BaseUrl[]] | undefined,
  report: Report,
): void {
  const allowed = bases && new AllowList(bases);
  checkHosts(flow, registry, (url) => {
    try {
      const { origin } = resolveUrl(url, bases?.[0] ?? ANY_BASE);
      const message = allowed?.refusal(origin);
      return message === undefined ? undefined : { message, hint: TO_ALLOW_IT };
    } catch (error) {
      return { message: (error as Error).message };
    }
  }, report);
}

/** Lets every protocol check the documents that its blocks hold. */
export async function checkBlockDocuments(
  read: ReadFlow,
  report: Report,
): Promise<void> {
  for (const { protocol, block, pointer, isSound } of checkedBlocks(read)) {
    const found = await protocol.checkDocument?.(block, isSound) ?? [];
    for (const each of found) {
      report({ ...each, at: below(pointer, each.at) });
    }
  }
  await checkSelectors(read, report);
}

/** Checks what `extract` looks for in pages, with the library that does it. */
async function checkSelectors(
  { opened }: ReadFlow,
  report: Report,
): Promise<void> {
  for (const { step: { extract = {} }, pointer } of placedSteps(opened)) {
    for (const [name, each] of Object.entries(extract)) {
      if (each.from !== "html") continue;
      try {
        await compileSelector(each.css);
      } catch (error) {
        report({
          at: `${child(`${pointer}/extract`, name)}/css`,
          code: "css-selector",
          message: `bad CSS selector: ${
            // The library quotes what follows, which may be nothing.
            (error as Error).message.replace(
              /, found\s*$/,
              ", but it ends here",
            )}`,
          hint: "for example input[name=csrf], or form#login > input.token",
        });
      }
    }
  }
}

/** The blocks in which nothing is wrong that all checks of a document or a file need. */
function checkedBlocks({ opened, isSound }: ReadFlow) {
  return placedSteps(opened).flatMap(({ step, pointer: above }) => {
    const { kind, block } = step;
    const protocol = protocols.get(kind);
    const pointer = `${above}/block`;
    const isSoundKey = (key: string) => isSound(`${pointer}/${key}`);
    return protocol && (protocol.checkedKeys ?? []).every(isSoundKey)
      ? [{ protocol, step, block, pointer, above, isSound: isSoundKey }]
      : [];
  });
}

/** Every thread of a run holds the files that its steps name. */
const MOST_BLOCK_BYTES = 64 * 1024 * 1024;

/**
 * Lets every protocol read and compile the files its blocks name.
 *
 * @returns hex SHA-256 of what they hold, in the order they were read in
 */
export async function checkBlockFiles(
  { read, directory, environment, report, diagnostics }: FlowFiles,
): Promise<string> {
  let contents: Hash | undefined;
  let left = MOST_BLOCK_BYTES;
  const files = {
    directory,
    readBytes(path: string, most: number) {
      const bytes = readWithin(
        left,
        () => environment.readBytes(path, Math.min(most, left)),
      );
      left -= bytes.length;
      contents ??= createHash("sha256");
      contents.update(`${bytes.length}\n`).update(bytes);
      return bytes;
    },
  };
  const take = ({ at, ...rest }: BlockDiagnostic, pointer: string) => {
    if (typeof at === "string" || !("file" in at)) {
      report({ ...rest, at: below(pointer, at) });
      return;
    }
    const { text, ...location } = at;
    diagnostics.addText(location.file, text);
    diagnostics.report({ ...rest, at: location });
  };
  for (const each of checkedBlocks(read)) {
    const { protocol, step, block, pointer, above, isSound } = each;
    const found = await protocol.checkFiles?.(block, files, isSound) ?? [];
    for (const each of found) take(each, pointer);
    if (!found.some(isError)) {
      await checkBody({ protocol, step, pointer: above }, files, read, report);
    }
  }
  return contents?.digest("hex") ?? SHA256_OF_NOTHING;
}

/** @throws {UnreadInput} that names the sum, of a file for which too little of it is left */
function readWithin<T>(left: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isOverSum = error instanceof UnreadInput &&
      error.code === "file-too-large" && left < MOST_BLOCK_BYTES;
    if (!isOverSum) throw error;
    const used = MOST_BLOCK_BYTES - left;
    throw new UnreadInput(
      `${error.message}: the files of a flow have at most ${MOST_BLOCK_BYTES} bytes in all, and those before it have ${used}`,
      { code: error.code },
    );
  }
}

/** A flow with the strings that could not be read whole. */
type OpenedFlow = Pick<ReadFlow, "opened" | "leftTemplates">;

/** Shorter values are parts of ordinary text. */
const SHORT = 4;

/**
 * Reads the environment variables the flow names, and no others. A missing one
 * is reported wherever it is used, an empty one wherever it is a credential, a
 * short one where it is used first.
 */
export function readEnvironment(
  { opened: flow, leftTemplates }: OpenedFlow,
  environment: Environment,
  report: Report,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const secret = new Set(
    flowCredentials(flow, registry).map(({ pointer }) => pointer),
  );
  for (const [name, pointers] of referencedEnv(flow, registry, leftTemplates)) {
    const value = environment.env(name);
    if (value !== undefined) values.set(name, value);
    if (environment.lenient) continue;
    const template = `{{ env.${name} }}`;
    const unset = (places: readonly string[], code: string, why: string) => {
      for (const pointer of places) {
        report({
          at: { pointer, inside: template },
          code,
          message: `${template} ${why}`,
          hint: `set it: export ${name}=...`,
        });
      }
    };
    if (value === undefined) {
      const why = `has no value: the environment variable ${name} is not set`;
      unset(pointers, "missing-env", why);
    } else if (value === "") {
      const why =
        `is a credential, but the environment variable ${name} is empty`;
      unset(pointers.filter((at) => secret.has(at)), "empty-env", why);
    } else if (value.length < SHORT) {
      report({
        at: { pointer: pointers[0]!, inside: template },
        code: "short-secret",
        message:
          `the value of ${template} has fewer than ${SHORT} characters: it is redacted only where it is a whole value`,
        severity: "warning",
      });
    }
    if (value) warnOfWritten(flow, value, template, report);
  }
  return values;
}

/** Keys whose values are words of the language. */
const WORDS: ReadonlySet<string> = new Set([
  ...["kind", "method", "mode", "scheme", "op"],
  ...["algorithm", "encoding", "in", "from"],
]);

/** Warns of a secret that the author wrote into the flow: it is not hidden there. */
function warnOfWritten(
  flow: Flow,
  value: string,
  template: string,
  report: Report,
): void {
  const [first, ...more] = leavesOf(flow as unknown as JsonValue)
    .filter(({ value: leaf, key }) => !WORDS.has(key) && holds(leaf, value));
  if (!first) return;
  report({
    at: { pointer: first.path.reduce<string>(child, "") },
    code: "env-in-flow",
    message: `the value of ${template} is also written here${
      more.length === 0 ? "" : `, and in ${plural(more.length, "other place")}`
    }: what a flow says is not redacted in flow.json, step ids and checks`,
    hint:
      `where it has to stay hidden, write ${template}, or call it something else`,
    severity: "warning",
  });
}

function holds(leaf: unknown, value: string): boolean {
  if (typeof leaf === "number") {
    return value.length >= SHORT && String(leaf) === value;
  }
  if (typeof leaf !== "string") return false;
  return value.length < SHORT
    ? leaf === value
    : leaf.replaceAll(/\{\{.*?\}\}/g, "\0").includes(value);
}

/**
 * Reads every fixture of the flow, by pool name. A file that is missing is
 * reported where the flow names it; an error inside it, at its own line.
 */
export function readFixtures(
  { read, directory, environment, report, diagnostics }: FlowFiles,
): ReadonlyMap<string, Fixture> {
  const byPool = new Map<string, Fixture>();
  for (const [index, pool] of (read.flow.pools ?? []).entries()) {
    const isKnown = ["path", "format"]
      .every((key) => read.isSound(`/pools/${index}/${key}`));
    if (!isKnown) continue;
    const path = isAbsolute(pool.path) ? pool.path : join(directory, pool.path);
    try {
      const fixture = environment.readFixture
        ? environment.readFixture(path, pool.format)
        : readFixture(path, pool.format, environment.readBytes);
      if (fixture) byPool.set(pool.name, fixture);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      for (const [file, text] of error.sources) diagnostics.addText(file, text);
      for (const each of error.diagnostics) {
        if (each.at.range) diagnostics.report(each);
        else report({ ...each, at: `/pools/${index}/path` });
      }
    }
  }
  return byPool;
}

/** Why a template has no column, or no part of one. */
function columnWording(part: Reference, columns: readonly string[]): Wording {
  const { root, path } = part;
  const whole = path.slice(0, -1).map((_, index) =>
    path.slice(0, index + 1).join(".")
  ).findLast((each) => columns.includes(each));
  return whole === undefined
    ? {
      message: `${quote(part)} names a column the fixture does not have`,
      hint: columnHint(root, path.join("."), columns),
    }
    : {
      message: `${quote(part)} names a part of the column \`${whole}\``,
      hint: `a cell is taken whole, as ${
        columnTemplate(root, whole)
      }: make a column of its own of the part`,
    };
}

function columnHint(
  root: string,
  column: string,
  columns: readonly string[],
): string {
  const [only = ""] = columns.length === 1 ? columns : [];
  const separator = /[;\t]/.exec(only)?.[0];
  if (separator !== undefined && only.split(separator).includes(column)) {
    return `the only column is \`${only}\`: separate the cells of \
the file with commas, not with ${separator === ";" ? "`;`" : "tabs"}`;
  }
  const spaced = columns.find((each) => each.trim() === column);
  const near = spaced ?? nearest(column, columns);
  if (near === undefined) {
    return `its columns: ${columns.map((each) => columnName(each)).join(", ")}`;
  }
  const meant = `did you mean ${columnTemplate(root, near)}?`;
  return spaced === undefined
    ? meant
    : `${meant} The space belongs to the column's name in the file`;
}

/** The template of a column, whose name may have dots and spaces in it. */
function columnTemplate(root: string, column: string): string {
  return quote({
    root,
    path: /\s/.test(column) ? [column] : column.split("."),
  });
}

function columnName(column: string): string {
  return /^\S+$/.test(column) ? column : JSON.stringify(column);
}

/** Reports templates that name a column their fixture does not have. */
export function checkColumns(
  { opened: flow, leftTemplates }: OpenedFlow,
  fixtures: ReadonlyMap<string, Fixture>,
  report: Report,
): void {
  for (
    const { pointer, text } of flowStrings(flow, registry, leftTemplates)
  ) {
    for (const part of parseTemplate(text)) {
      if (typeof part === "string") continue;
      const columns = fixtures.get(part.root)?.columns;
      const column = part.path.join(".");
      // A template without a column was reported as one.
      if (!columns || column === "" || columns.includes(column)) continue;
      report({
        at: { pointer, inside: quote(part) },
        code: "unresolved-template",
        ...columnWording(part, columns),
      });
    }
  }
}
