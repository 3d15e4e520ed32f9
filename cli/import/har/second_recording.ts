import type { Exchange } from "./recording.ts";
import {
  type PlainValue,
  type SentValue,
  sentValues,
  type Source,
  sourcesOf,
} from "./exchange_values.ts";
import { isCredential, isCredentialField } from "../draft/credentials.ts";
import type { Draft } from "../draft/draft.ts";
import { KnownValues } from "../draft/hidden_text.ts";
import { snakeCase, UniqueNames } from "../draft/names.ts";
import { template } from "../draft/template_text.ts";
import { givenBefore, type Linked, looksGenerated } from "./correlate.ts";

/** The same journey once more, request by request beside the first. */
export class SecondRecording {
  readonly #pairs: readonly (Exchange | undefined)[];
  readonly #slots = new Map<number, ReadonlyMap<string, SentValue>>();
  readonly #sources = new Map<number, ReadonlyMap<string, Source>>();
  /** Requests of the second recording that the first does not have. */
  readonly surplus: number;
  /** Requests of the first recording that the second does not have. */
  readonly missing: number;

  constructor(
    first: readonly Exchange[],
    readonly exchanges: readonly Exchange[],
  ) {
    const shapes = exchanges.map(shape);
    let from = 0;
    this.#pairs = first.map((each) => {
      const at = shapes.indexOf(shape(each), from);
      if (at < 0) return;
      from = at + 1;
      return exchanges[at];
    });
    const { length } = this.#pairs.filter((each) => each !== undefined);
    this.surplus = exchanges.length - length;
    this.missing = first.length - length;
  }

  /** The value in the same place; undefined when there is none. */
  valueOf(index: number, slot: SentValue): PlainValue | undefined {
    const other = this.#pairs[index];
    if (!other) return;
    const slots = this.#slots.get(index) ??
      new Map(sentValues(other).map((each) => [each.at, each]));
    this.#slots.set(index, slots);
    return slots.get(slot.at)?.value;
  }

  /** Whether the value came from the same place there as well. */
  agrees(index: number, slot: SentValue, source: Source): boolean {
    const sent = this.valueOf(index, slot);
    const given = this.given(source);
    if (sent === undefined || given === NO_PAIR) return true;
    return given !== undefined && String(given) === String(sent);
  }

  /** Whether it came from there with another value than in the first recording. */
  confirms(index: number, slot: SentValue, source: Source): boolean {
    const sent = this.valueOf(index, slot);
    // A path says a number as text; what a body says has its type already.
    return sent !== undefined && sent !== slot.value &&
      String(this.given(source)) === String(sent);
  }

  /** The value at the same place of the response. */
  given(source: Source): PlainValue | typeof NO_PAIR | undefined {
    const giver = this.#pairs[source.exchange];
    if (!giver) return NO_PAIR;
    const sources = this.#sources.get(source.exchange) ??
      new Map(sourcesOf(giver, 0).map((each) => [fromText(each), each]));
    this.#sources.set(source.exchange, sources);
    return sources.get(fromText(source))?.value;
  }
}

const NO_PAIR = Symbol("no request beside it");

function fromText({ from }: Source): string {
  return JSON.stringify(from);
}

/** Method, host and path without what names one of many. */
function shape({ method, url }: Exchange): string {
  const path = url.pathname.split("/").map((part) =>
    /\d|[\w-]{20,}/.test(part) ? "*" : part
  ).join("/");
  return `${method} ${url.hostname}${path}`;
}

/** The data that differs between two recordings and came from no response. */
type ClientData = Pick<Draft, "fixture" | "notes">;

/**
 * Names what the client itself brought: data, which becomes a fixture with a row
 * a recording, and what it generates, which stays as it was recorded.
 */
export function clientData(
  linked: readonly Linked[],
  second: SecondRecording,
  { idOf, known }: {
    readonly idOf: (index: number) => string;
    /** Credentials, which are never data. */
    readonly known: KnownValues;
  },
): ClientData {
  const columns = new Map<string, string>();
  const secrets: string[] = [];
  const names = new UniqueNames();
  const rows: [string[], string[]] = [[], []];
  const notes: string[] = [];
  linked.forEach(({ own, templates }, index) => {
    const taken = [
      new KnownValues(givenBefore(linked, index, ({ value }) => value)),
      new KnownValues(givenBefore(linked, index, (source) => {
        const given = second.given(source);
        return given === NO_PAIR ? undefined : given;
      })),
    ] as const;
    for (const slot of own) {
      const other = second.valueOf(index, slot);
      if (other === undefined || other === slot.value) continue;
      // Text around what a response gave is the same in both.
      const [one, two] = [String(slot.value), String(other)];
      const same = taken[0].replaced(one) === taken[1].replaced(two);
      if (same && /\D/.test(one)) continue;
      const location = `${describe(slot)} of \`${idOf(index)}\``;
      const pair = JSON.stringify([slot.value, other]);
      let column = columns.get(pair);
      const secret = isSecret(slot);
      const why = column === undefined && !(secret && isGivenByUser(slot))
        ? notData(slot, other, known)
        : undefined;
      if (why !== undefined) {
        if (why !== "") notes.push(`${location} ${why}`);
        continue;
      }
      if (column === undefined) {
        column = names.of(snakeCase(slot.key) || "value");
        columns.set(pair, column);
        if (secret) secrets.push(column);
        rows[0].push(String(slot.value));
        rows[1].push(String(other));
      }
      templates.set(slot.at, template(`user.${column}`));
    }
  });
  if (columns.size === 0) return { notes };
  const all = [...columns.values()];
  if (secrets.length === 0) return { fixture: { columns: all, rows }, notes };
  const shown = rows.map((row) =>
    row.map((cell, index) => secrets.includes(all[index]!) ? "" : cell)
  );
  const fixture = { columns: all, rows: shown, secrets, recorded: rows };
  return { fixture, notes };
}

/** Names headers of a recording by itself that its client seems to make up for each request. */
export function generatedHeaders(
  linked: readonly Linked[],
  idOf: (index: number) => string,
): string[] {
  const found = linked.flatMap(({ own }, index) =>
    own.filter((each) =>
      each.kind === "header" && looksGenerated(each.value) && !isSecret(each)
    ).map(({ key }) => ({ key, id: idOf(index) }))
  );
  return [...Map.groupBy(found, ({ key }) => key)].map(([key, all]) => {
    const where = all.length === 1
      ? `\`${all[0]!.id}\``
      : `${all.length} steps`;
    return `header ${key} of ${where} looks generated by the client; the recorded value is sent each time, and \`values\` (version 1) draw new ones`;
  });
}

/** Whether a field is a credential, by its names or its looks. */
function isSecret({ kind, key, path, value }: SentValue): boolean {
  return kind === "header"
    ? isCredential(key, String(value))
    : isCredentialField(path ?? [key], String(value));
}

/** Whether it is where a person typed it, as text. */
function isGivenByUser({ kind, value }: SentValue): boolean {
  return ["query", "form", "body"].includes(kind) && typeof value === "string";
}

/** Why a value goes into no fixture; empty when there is nothing to report. */
function notData(
  slot: SentValue,
  other: PlainValue,
  known: KnownValues,
): string | undefined {
  const text = String(slot.value);
  if (slot.kind === "cookie" || slot.kind === "bearer") return "";
  if (isSecret(slot) || known.isIn(text) || known.isIn(String(other))) {
    return "differs between the recordings and is a credential: one variable for all rows";
  }
  if (looksGenerated(slot.value) && looksGenerated(other)) {
    return "is generated by the client; the recorded value is sent each time";
  }
  if (slot.kind === "header") return "";
  if (typeof slot.value !== "string") {
    return "differs between the recordings; a fixture holds text, so the number stays";
  }
  return undefined;
}

function describe({ kind, key }: SentValue): string {
  return kind === "body" ? `field ${key}` : `${kind} ${key}`;
}
