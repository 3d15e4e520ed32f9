import type { DraftSource } from "../draft/draft.ts";
import type { NamedValue } from "../draft/credentials.ts";
import type { Exchange } from "./har_file.ts";
import { LITERAL_POOL } from "../draft/literal_braces.ts";
import { snakeCase, UniqueNames } from "../draft/names.ts";
import { isSame, likeness, sentAs } from "./likeness.ts";
import { template } from "../draft/template_text.ts";
import { type Slot, slotsOf } from "./slots.ts";
import { type Source, sourcesOf } from "./sources.ts";

/** What one exchange takes from earlier ones, and gives to later ones. */
export interface Linked {
  readonly exchange: Exchange;
  /** By place in the request. */
  readonly templates: Map<string, string>;
  readonly extract: Record<string, DraftSource>;
  /** What its variables were when it was recorded. */
  readonly given: NamedValue[];
  /** Values whose source a flow of this form cannot say. */
  readonly unsaid: readonly Unsaid[];
  /** Places that nothing explains. */
  readonly own: readonly Slot[];
}

/** A value that only another form of the flow takes from a response. */
interface Unsaid {
  readonly slot: Slot;
  readonly source: Source;
}

/** What correlating may do. */
interface CorrelateOptions {
  /** Whether cookies and header fields can be sources. */
  readonly anySource: boolean;
  /** Whether a second recording agrees that a value comes from there. */
  agrees(exchange: number, slot: Slot, source: Source): boolean;
  /** Whether it does so with another value, which is proof. */
  confirms(exchange: number, slot: Slot, source: Source): boolean;
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
  readonly #names = new UniqueNames(TAKEN);
  readonly #variables = new Map<Source, string>();

  constructor(readonly options: CorrelateOptions) {}

  add(exchange: Exchange): void {
    const index = this.linked.length;
    const templates = new Map<string, string>();
    const unsaid: Unsaid[] = [];
    const own: Slot[] = [];
    const whole = this.#wholeUrl(exchange, index);
    if (whole) templates.set("url", this.#template(whole));
    for (const slot of slotsOf(exchange)) {
      if (whole && (slot.kind === "path" || slot.kind === "query")) continue;
      const found = this.#sourceOf(slot, index);
      if (found && this.#says(found)) {
        templates.set(slot.at, this.#template(found));
        continue;
      }
      if (found) unsaid.push({ slot, source: found });
      else own.push(slot);
      const key = sentAs(slot);
      if (!this.#sent.has(key)) this.#sent.set(key, index);
      const text = String(slot.value);
      if (!this.#sentText.has(text)) this.#sentText.set(text, index);
    }
    this.linked.push({
      exchange,
      templates,
      unsaid,
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

  #says({ kind }: Source): boolean {
    return kind === "body" || this.options.anySource;
  }

  #sourceOf(slot: Slot, index: number): Source | undefined {
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

  #score(slot: Slot, source: Source, index: number): number {
    const alike = likeness(slot, source, this.#nameOf(source));
    const score = alike > 0 ? alike : this.#confirmed(slot, source, index);
    return score > 0 && !this.#says(source) ? score / 100 : score;
  }

  /** Two recordings prove what names do not, unless the client had it first. */
  #confirmed(slot: Slot, source: Source, index: number): number {
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
    ).filter((each) => this.#says(each) && String(each.value).length > 1);
    const [link] = links;
    if (!link || path === "/") return;
    if (this.#sent.has(`url ${path}`)) return;
    this.#sent.set(`url ${path}`, index);
    if (url.search !== "") return link;
    const parts = slotsOf({ url, headers: [] } as unknown as Exchange);
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
    giver.given.push([String(source.value), name]);
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

/** Names that say nothing without what they belong to. */
const BARE =
  /^(?:id|key|value|href|url|uri|next|self|code|number|ref|name|slug|version|uuid|location|etag|hash)$/;
const BARE_PARENT =
  /^(?:data|result|results|response|payload|attributes|node|edges)$/;
/** Roots of templates and subjects of assertions. */
const TAKEN = ["env", "user", LITERAL_POOL, "status", "latency", "header"];

/** @param path of the request whose response it is from */
function variableName(source: Source, path: string): string {
  const key = snakeCase(source.key) || "value";
  const plain = BARE.test(key) ? `${owner(source, path)}${key}` : key;
  return /^[a-z_]/.test(plain) ? plain : `v_${plain}`;
}

/** `order_` for `$.order.id`, and for `$.id` of `/orders`. */
function owner({ from }: Source, path: string): string {
  const inside = typeof from === "string"
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
