import type { Authorizer, AuthTools } from "../../steps/auth/scheme.ts";
import { protocols, schemes } from "../../steps/registry.ts";
import {
  type Check,
  compileBody,
  compileCheck,
  compileReading,
  type Evidence,
  ofResponse,
  searchFor,
  setCookie,
  type SubjectReader,
  withoutJson,
} from "../../language/expressions/check.ts";
import type { StatusNames } from "../../language/expressions/assertion.ts";
import { SUBJECTS } from "../../language/expressions/assertion_ir.ts";
import type {
  Names,
  TextTemplate,
} from "../../language/expressions/template.ts";
import type { ContractResult } from "../../model/result/contract.ts";
import type { CheckResult } from "../../model/result/iteration.ts";
import type { PlacedStep } from "../../language/flow/flow.ts";
import type { StepResponse } from "../../model/result/response.ts";
import type { Assertion, Extraction, Retry, Step } from "../../language/ir.ts";
import type { Mode } from "../../model/mode.ts";
import { type StepRules, stepRules } from "../outcome/classify.ts";
import type { Adapter, OpenTools, Repeat } from "../../steps/protocol.ts";
import { sendsRequest } from "../../language/flow/registry.ts";
import { formatExtraction, formatSource } from "../../language/flow/extract.ts";
import { compileSelector } from "../../language/html/selector.ts";
import { compilePattern } from "../../language/patterns/pattern.ts";
import { canonical } from "../../base/values/canonical.ts";
import type { JsonSearch } from "../../base/values/json_search.ts";
import { fieldValue } from "../../base/values/headers.ts";
import { child, type JsonValue } from "../../base/values/json.ts";
import { checkText } from "../../language/expressions/mismatch.ts";
import type { TracedStep } from "../../model/result/trace.ts";

/** An extraction made ready. */
export interface CompiledExtraction {
  readonly variable: string;
  readonly index: number;
  /** Into the IR. */
  readonly pointer: string;
  /** As the user wrote it. */
  readonly source: string;
  readonly needsBody: boolean;
  find(evidence: Evidence): JsonValue | undefined;
  /** The facts of the response for a message, where nothing is found. */
  why(evidence: Evidence): string;
  /** Of one with a pattern: the text that the pattern is matched against. */
  readonly part?: PatternPart;
  /** Its value where nothing is found. */
  readonly fallback?: JsonValue;
  /** The templates that send its value as a credential. */
  readonly secrets?: readonly TextTemplate[];
}

/** The part of a text that an extraction takes by a pattern. */
interface PatternPart {
  readonly pattern: string;
  readonly group: number;
  /** Where the text is, as the user wrote it. */
  readonly source: string;
  text(evidence: Evidence): JsonValue | undefined;
  matches(text: JsonValue): boolean;
}

/** An assertion made ready. */
export interface CompiledAssertion {
  readonly pointer: string;
  readonly needsBody: boolean;
  readonly check: Check;
  readonly read: SubjectReader;
}

/** Extractions and assertions that are run together. */
export interface CheckSet {
  readonly extractions: readonly CompiledExtraction[];
  readonly assertions: readonly CompiledAssertion[];
  /** Their results when all of them hold. */
  readonly held: readonly CheckResult[];
  /** For all that they look at in a body, where that are single values. */
  readonly search?: JsonSearch | undefined;
}

/** A poll made ready. */
export interface CompiledPoll extends Omit<Repeat, "until"> {
  /** The conditions that have to hold for it to end. */
  readonly until: CheckSet;
  /** The same as written. */
  readonly conditions: readonly Assertion[];
}

/** A step with nothing left to parse. */
export interface CompiledStep extends CheckSet {
  /** Among the steps of all flows of the run. */
  readonly index: number;
  /** JSON Pointer into the IR of the run. */
  readonly pointer: string;
  readonly step: Step;
  readonly adapter: Adapter;
  readonly authorizer?: Authorizer;
  /** Gives latency samples. */
  readonly requests: boolean;
  /** Exchanges anything with the target. */
  readonly exchanges: boolean;
  readonly rules: StepRules;
  readonly retry: Retry | undefined;
  /** Present on a step that repeats its request until conditions hold. */
  readonly poll?: CompiledPoll;
  /** Present on a step whose responses are held against a description. */
  readonly contract?: StepContract;
}

/** The description of the API, as a step's responses are held against it. */
export interface StepContract {
  /** A response that is not as it is described fails the step. */
  readonly fails: boolean;
  /** How a response fits; undefined for one that is not checked. */
  hold(response: StepResponse, iteration: number): ContractResult | undefined;
}

/** The tools that all steps of a run are compiled with. */
interface StepTools {
  /** Makes that of a step, by what it calls. */
  readonly contract?:
    | ((call: string, index: number) => StepContract)
    | undefined;
  readonly mode: Mode;
  readonly auth: AuthTools;
  readonly open: Omit<OpenTools, "authorizer" | "capture" | "position">;
  /** The templates that send variables as credentials, by variable. */
  readonly secrets: ReadonlyMap<string, readonly TextTemplate[]>;
}

/**
 * Compiles one step: templates, paths, assertions, header blocks and auth
 * become closures or prepared bytes, so that the run parses nothing.
 */
export async function compileStep(
  { step, index, pointer }: Omit<PlacedStep, "list">,
  tools: StepTools,
): Promise<CompiledStep> {
  const protocol = protocols.get(step.kind);
  if (!protocol) throw new TypeError(`unknown step kind "${step.kind}"`);
  const { names } = tools.open;
  const authorizer = step.auth && authorize(step.auth, tools.auth);
  const adapter = await protocol.open(step.block, {
    ...tools.open,
    ...(step.timeout_us !== undefined && {
      timeoutMs: step.timeout_us / 1_000,
      ownTimeout: true,
    }),
    authorizer,
    position: index,
    capture: step.capture ?? "full",
  });
  const rules = stepRules(step, tools.mode);
  const checks = await compileChecks(
    step,
    pointer,
    tools,
    protocol.statusNames,
  );
  const poll = adapter.repeat && compilePoll(adapter.repeat, pointer, names);
  const { call } = protocol.facts?.(step.block) ?? {};
  const contract = call === undefined
    ? undefined
    : tools.contract?.(call, index);
  return {
    index,
    pointer,
    step,
    adapter,
    ...(authorizer && { authorizer }),
    requests: sendsRequest(protocol, step.block),
    exchanges: protocol.requests,
    rules: poll?.conditions.some(({ subject }) => subject.kind === "status")
      ? { ...rules, judgesStatus: true }
      : rules,
    retry: step.retry,
    ...(poll && { poll }),
    ...(contract && { contract }),
    ...checks,
  };
}

/** Compiles what a step looks at in its last response. */
async function compileChecks(
  { extract = {}, assert = [] }: Step,
  pointer: string,
  tools: StepTools,
  statusNames: StatusNames | undefined,
): Promise<CheckSet> {
  const { names } = tools.open;
  const search = searchFor(
    assert,
    Object.values(extract)
      .flatMap((each) => each.from === "body" ? each.path : []),
  );
  const extractions = await Promise.all(
    Object.entries(extract).map(([variable, each]) =>
      compileExtraction(
        variable,
        each,
        child(`${pointer}/extract`, variable),
        tools,
        search,
      )
    ),
  );
  const assertions = assert.map((each, at): CompiledAssertion => ({
    pointer: `${pointer}/assert/${at}`,
    needsBody: SUBJECTS[each.subject.kind].reads === "body",
    check: compileCheck(each, names, statusNames, search),
    read: compileReading(each, names, statusNames),
  }));
  const held = heldChecks(extractions, "assert", assertions);
  return { extractions, assertions, search, held };
}

function compilePoll(
  { until, ...bounds }: Repeat,
  pointer: string,
  names: Names,
): CompiledPoll {
  const conditions = until.map(({ assertion }) => assertion);
  const search = searchFor(conditions);
  const assertions = until.map((each): CompiledAssertion => ({
    pointer: `${pointer}/block${each.pointer}`,
    needsBody: SUBJECTS[each.assertion.subject.kind].reads === "body",
    check: compileCheck(each.assertion, names, undefined, search),
    read: compileReading(each.assertion, names),
  }));
  return {
    ...bounds,
    conditions,
    until: {
      extractions: [],
      assertions,
      search,
      held: heldChecks([], "until", assertions),
    },
  };
}

function authorize(
  block: NonNullable<Step["auth"]>,
  tools: AuthTools,
): Authorizer {
  const scheme = schemes.get(String(block["scheme"]));
  if (!scheme) throw new TypeError(`unknown auth scheme "${block["scheme"]}"`);
  return scheme.prepare(block, tools);
}

async function compileExtraction(
  variable: string,
  extraction: Extraction,
  pointer: string,
  tools: StepTools,
  search: JsonSearch | undefined,
): Promise<CompiledExtraction> {
  const secrets = tools.secrets.get(variable);
  const { from } = extraction;
  const source = await compileSource(extraction, search);
  const part = "pattern" in extraction
    ? compilePart(extraction, source)
    : undefined;
  return {
    variable,
    index: tools.open.names.variables.get(variable)!,
    pointer,
    source: formatExtraction(extraction),
    needsBody: from in BODY_FACTS,
    why: BODY_FACTS[from] ?? (() => ""),
    find: part?.find ?? source,
    ...(part && { part }),
    ...("default" in extraction && { fallback: extraction.default }),
    ...(secrets && { secrets }),
  };
}

type Find = CompiledExtraction["find"];

/** Facts of a response for a message, by where nothing was found. */
const BODY_FACTS: Partial<
  Record<Extraction["from"], CompiledExtraction["why"]>
> = { body: withoutJson, text: ofResponse, html: ofResponse };

/** Makes the function that finds the value of an extraction in a response. */
async function compileSource(
  extraction: Extraction,
  search: JsonSearch | undefined,
): Promise<Find> {
  switch (extraction.from) {
    case "body":
      return compileBody(extraction.path, undefined, search);
    case "text":
      return (evidence) => evidence.bodyText?.();
    case "html": {
      const { css, attribute } = extraction;
      const select = await compileSelector(css, attribute);
      return (evidence) => {
        const page = evidence.bodyText?.();
        return page === undefined ? page : select(page);
      };
    }
    case "header":
      return (evidence) => headerText(evidence, extraction.name);
    case "cookie":
      return (evidence) => setCookie(evidence, extraction.name);
    case "status":
      return (evidence) => evidence.status;
  }
}

/** The part of a text that a pattern matches. */
function compilePart(
  extraction: Extraction & { pattern?: string; group?: number },
  text: Find,
): PatternPart & { find: Find } {
  const { pattern = "" } = extraction;
  const matcher = compilePattern(pattern);
  const group = extraction.group ?? Math.min(1, matcher.groups);
  const match = (value: JsonValue) =>
    matcher.exec(typeof value === "string" ? value : canonical(value));
  return {
    pattern,
    group,
    source: formatSource(extraction),
    text,
    matches: (value) => match(value) !== undefined,
    find: (evidence) => {
      const value = text(evidence);
      if (value === undefined || value === null) return undefined;
      return match(value)?.[group];
    },
  };
}

/** Of the lines of `Set-Cookie` the first: no template takes more than one. */
function headerText(evidence: Evidence, name: string): string | undefined {
  const value = fieldValue(name, evidence.headers(name));
  return Array.isArray(value) ? value[0] : value;
}

/** The results of checks that all hold, not timed. */
function heldChecks(
  extractions: readonly CompiledExtraction[],
  kind: "assert" | "until",
  assertions: readonly CompiledAssertion[],
): readonly CheckResult[] {
  const untimed = { startedAt: NaN, endedAt: NaN };
  return [
    ...extractions.map(({ variable }): CheckResult => ({
      kind: "extract",
      name: variable,
      ...untimed,
    })),
    ...assertions.map((_, index): CheckResult => ({
      kind,
      name: String(index),
      ...untimed,
    })),
  ];
}

/** Reads a step's words for traces, once before the run. */
export function tracedStep(
  { step, pointer, extractions, poll, contract }: CompiledStep,
): TracedStep {
  const protocol = protocols.get(step.kind);
  const { statusNames } = protocol ?? {};
  const byIndex = (checks: readonly Assertion[] = []) =>
    new Map(checks.map((each, index) => [
      String(index),
      checkText(each, statusNames),
    ]));
  return {
    id: step.id,
    kind: step.kind,
    pointer,
    repeats: step.retry !== undefined || poll !== undefined,
    facts: protocol?.facts?.(step.block) ?? {},
    checks: {
      extract: new Map(
        extractions.map(({ variable, source }) => [variable, source]),
      ),
      assert: byIndex(step.assert),
      contract: new Map(contract ? [["0", "contract"]] : []),
      until: byIndex(poll?.conditions),
    },
    ...(statusNames && {
      statuses: new Map([...statusNames].map(([name, code]) => [code, name])),
    }),
  };
}
