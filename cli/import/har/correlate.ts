import type { DraftSource } from "../draft/draft.ts";
import type { NamedValue } from "../draft/credentials.ts";
import type { Exchange } from "./recording.ts";
import { snakeCase, TAKEN_NAMES, UniqueNames } from "../draft/names.ts";
import { template } from "../draft/template_text.ts";
import {
  type PlainValue,
  type SentValue,
  sentValues,
  type Source,
  sourcesOf,
} from "./exchange_values.ts";

/** One exchange with the values that it takes from earlier ones and gives to later ones. */
export interface Linked {
  readonly exchange: Exchange;
  /** By place in the request; in a text they stand for what was given before. */
  readonly templates: Map<string, string>;
  readonly extract: Record<string, DraftSource>;
  /** Its variables and the values of the response that they stand for. */
  readonly given: { readonly source: Source; readonly name: string }[];
  /** Places that nothing explains. */
  readonly own: readonly SentValue[];
}

/**
 * Values of the responses before an exchange that are in other text by no accident,
 * by the variables that stand for them. Short ones are words of their own there.
 *
 * @param valueOf what a source gave; undefined where it gave nothing
 */
export function givenBefore(
  linked: readonly Linked[],
  index: number,
  valueOf: (source: Source) => PlainValue | undefined,
): NamedValue[] {
  return linked.slice(0, index).flatMap(({ given }) => given)
    .flatMap(({ source, name }): NamedValue[] => {
      const value = String(valueOf(source) ?? "");
      return TELLING_TEXT.test(value) ? [[value, name]] : [];
    });
}

const TELLING_TEXT = /^(?:\S{12,}|(?=.*\d)\S{8,}|\d{5,})$/;

/** The word of a second recording on where a value comes from. */
interface CorrelateOptions {
  /** Whether a second recording agrees that a value comes from there. */
  agrees(exchange: number, slot: SentValue, source: Source): boolean;
  /** Whether it does so with another value, which is proof. */
  confirms(exchange: number, slot: SentValue, source: Source): boolean;
}

/**
 * Finds, for each value that is sent, the response it came from. What the client
 * sent before any response had it is its own.
 */
export function correlate(
  exchanges: readonly Exchange[],
  options: CorrelateOptions,
): Linked[] {
  const linker = new Linker(options);
  for (const each of exchanges) linker.add(each);
  return linker.linked;
}

class Linker {
  readonly linked: Linked[] = [];
  /** By value as text. */
  readonly #sources = new Map<string, Source[]>();
  #count = 0;
  /** By what it was sent as: the exchange that did so first. */
  readonly #sent = new Map<string, number>();
  /** By text, wherever it was sent. */
  readonly #sentText = new Map<string, number>();
  readonly #names = new UniqueNames(TAKEN_NAMES);
  readonly #variables = new Map<Source, string>();

  constructor(readonly options: CorrelateOptions) {}

  add(exchange: Exchange): void {
    const index = this.linked.length;
    const templates = new Map<string, string>();
    const own: SentValue[] = [];
    const whole = this.#wholeUrl(exchange, index);
    if (whole) templates.set("url", this.#template(whole));
    for (const slot of sentValues(exchange)) {
      if (whole && (slot.kind === "path" || slot.kind === "query")) continue;
      const found = this.#sourceOf(slot, index);
      if (found) {
        templates.set(slot.at, this.#template(found));
        continue;
      }
      // A text stays as it is but for what a response gave.
      if (slot.kind !== "text") own.push(slot);
      const key = sentAs(slot);
      if (!this.#sent.has(key)) this.#sent.set(key, index);
      const text = String(slot.value);
      if (!this.#sentText.has(text)) this.#sentText.set(text, index);
    }
    this.linked.push({
      exchange,
      templates,
      own,
      extract: {},
      given: [],
    });
    for (const source of sourcesOf(exchange, index)) {
      const text = String(source.value);
      const list = this.#sources.get(text) ?? [];
      // A value that is everywhere says nothing of where it came from.
      if (list.length >= MOST_ALIKE || this.#count >= MOST_SOURCES) continue;
      this.#count++;
      list.push(source);
      this.#sources.set(text, list);
    }
  }

  #sourceOf(slot: SentValue, index: number): Source | undefined {
    const sentAt = this.#sent.get(sentAs(slot)) ?? Infinity;
    const candidates = (this.#sources.get(String(slot.value)) ?? [])
      .filter((each) => each.exchange < sentAt)
      .map((source) => ({ source, score: this.#score(slot, source, index) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return candidates.find(({ source }) =>
      this.options.agrees(index, slot, source)
    )?.source;
  }

  #score(slot: SentValue, source: Source, index: number): number {
    const alike = likeness(slot, source, this.#nameOf(source));
    // In a text each value has one variable.
    const named = slot.kind === "text" && this.#variables.has(source);
    return alike > 0
      ? alike + (named ? NAMED : 0)
      : this.#confirmed(slot, source, index);
  }

  /** Two recordings prove what names do not, unless the client had it first. */
  #confirmed(slot: SentValue, source: Source, index: number): number {
    const sentAt = this.#sentText.get(String(slot.value)) ?? Infinity;
    return isSame(slot, source) && source.exchange < sentAt &&
        this.options.confirms(index, slot, source)
      ? CONFIRMED
      : 0;
  }

  /** A link that a response gave and the client followed as it was. */
  #wholeUrl({ url }: Exchange, index: number): Source | undefined {
    const path = url.pathname + url.search;
    const links = [url.href, path].flatMap((each) =>
      this.#sources.get(each) ?? []
    ).filter((each) => String(each.value).length > 1);
    const [link] = links;
    if (!link || path === "/") return;
    if (this.#sent.has(`url ${path}`)) return;
    this.#sent.set(`url ${path}`, index);
    if (url.search !== "") return link;
    const parts = sentValues({ url, headers: [] } as unknown as Exchange);
    const last = parts.findLast((each) => each.kind === "path");
    if (!last || !/\d|[\w-]{20,}/.test(String(last.value))) return;
    return this.#sourceOf(last, index) ? undefined : link;
  }

  #template(source: Source): string {
    const known = this.#variables.get(source);
    if (known !== undefined) return template(known);
    const giver = this.linked[source.exchange]!;
    const name = this.#names.of(this.#nameOf(source));
    this.#variables.set(source, name);
    giver.extract[name] = source.from;
    giver.given.push({ source, name });
    return template(name);
  }

  #nameOf(source: Source): string {
    const { exchange } = this.linked[source.exchange]!;
    return variableName(source, exchange.url.pathname);
  }
}

/** Sources of one value, and of all. */
const MOST_ALIKE = 1_000;
const MOST_SOURCES = 1_000_000;

/** Less than a likeness of names. */
const CONFIRMED = 20;
/** More than any difference of names. */
const NAMED = 100;

/** Names that say nothing without what they belong to. */
const BARE =
  /^(?:id|key|value|href|url|uri|next|self|code|number|ref|name|slug|version|uuid|location|etag|hash)$/;
const BARE_PARENT =
  /^(?:data|result|results|response|payload|attributes|node|edges)$/;
/** @param path of the request whose response it is from */
function variableName(source: Source, path: string): string {
  const key = snakeCase(source.key) || "value";
  const plain = BARE.test(key) ? `${owner(source, path)}${key}` : key;
  return /^[a-z_]/.test(plain) ? plain : `v_${plain}`;
}

/** `order_` for `$.order.id`, and for `$.id` of `/orders`. */
function owner({ from }: Source, path: string): string {
  const inside = typeof from === "string" && from.startsWith("$")
    ? [...from.matchAll(/\.([A-Za-z_]\w*)/g)].map(([, name]) => name!)
      .slice(0, -1).filter((each) => !BARE_PARENT.test(each))
    : [];
  const parts = path.split("/").filter((each) => /^[a-z][a-z_-]*$/i.test(each));
  const thing = inside.at(-1) ?? parts.at(-1);
  return thing === undefined ? "" : `${singular(snakeCase(thing))}_`;
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Names of what one response gives and another request names. */
const IDENTIFIES =
  /(?:^|_)(?:ids?|uid|uuid|guid|key|token|code|slug|sku|number|no|ref|reference|csrf|xsrf|nonce|cursor|etag|version|revision|rev|handle|hash|state|href|url|next|after|page_token|location)$/;
/** Long enough that two are equal by no accident. */
const TELLING = 8;

/** `next_page`, `nextCursor`: made to be sent back. */
function leadsOn(name: string): boolean {
  return snakeCase(name).startsWith("next_");
}

/** Whether a value under this name says which one is meant. */
function identifies(name: string): boolean {
  return IDENTIFIES.test(snakeCase(name));
}

/**
 * How well a value of a response explains one of a request: 0 when it does not.
 * Equal short values are no proof unless their names say what they are.
 *
 * @param variable what the value of the response is called as a variable:
 *   `order_id` for `$.order.id`
 */
function likeness(
  slot: SentValue,
  source: Source,
  variable: string,
): number {
  if (!isSame(slot, source)) return 0;
  const text = String(slot.value);
  const base = namesThing(slot, source, variable)
    ? 40
    : plausible(slot, source, text);
  if (base === 0) return 0;
  const [own, other] = [snakeCase(slot.key), snakeCase(source.key)];
  const alike = own === other || own.endsWith(`_${other}`) ||
    other.endsWith(`_${own}`);
  return base + (alike ? 10 : 0) + (identifies(source.key) ? 3 : 0) +
    (source.kind === "body" ? 5 : 0);
}

/** `order: 7` is what `$.order.id` gave, or `$.orderId`; in a form as in JSON. */
function namesThing(
  slot: SentValue,
  source: Source,
  variable: string,
): boolean {
  const thing = `${snakeCase(slot.key)}_`;
  return (slot.kind === "body" || slot.kind === "form") &&
    identifies(source.key) && variable.startsWith(thing) &&
    identifies(variable.slice(thing.length));
}

/** Whether both are one value, of one type where the type is sent. */
function isSame(slot: SentValue, { value }: Source): boolean {
  // A template alone keeps the type of its value.
  return slot.kind === "body"
    ? slot.value === value
    : String(slot.value) === String(value);
}

function plausible(slot: SentValue, source: Source, text: string): number {
  const telling = text.length >= TELLING && !/\s/.test(text);
  switch (slot.kind) {
    case "cookie":
      if (source.kind === "cookie") return source.key === slot.key ? 100 : 0;
      return telling ? 40 : 0;
    case "text":
      return TELLING_TEXT.test(text) ? 40 : 0;
    case "bearer":
      return text.length > 3 ? 60 : 0;
    case "header":
      return telling && !/^(?:accept|content-type)$/i.test(slot.key) ? 40 : 0;
    case "path":
      if (isLongNumber(source.value)) return 40;
      if (!/\d/.test(text) && !telling) return 0;
      return telling || identifies(source.key) ? 40 : 0;
    case "form":
      if (source.kind === "page" && source.key === slot.key) return 100;
      // falls through
    case "query":
    case "body":
      if (telling && typeof slot.value === "string") return 40;
      if (isLongNumber(source.value)) return 40;
      return leadsOn(source.key) ||
          (identifies(source.key) && identifies(slot.key))
        ? 40
        : 0;
  }
}

/** Hardly ever equal to another by accident. */
function isLongNumber(value: PlainValue): boolean {
  return typeof value === "bigint" ||
    (Number.isInteger(value) && Number(value) >= 1e4);
}

/** By what two values sent are the same one: short ones go by their place, too. */
function sentAs({ kind, key, value }: SentValue): string {
  const text = String(value);
  return text.length >= TELLING || LONG_NUMBER.test(text)
    ? text
    : `${kind}/${key}/${text}`;
}

/** The text of what `isLongNumber` takes. */
const LONG_NUMBER = /^[1-9]\d{4,}$/;

/** Made by the client anew each time: UUIDs, moments, random digits. */
export function looksGenerated(value: PlainValue): boolean {
  return /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[0-9a-f]{16,}|1\d{9}|1\d{12}|\d{4}-\d\d-\d\dT\d\d:\d\d.*|0?\.\d{8,})$/i
    .test(String(value));
}
