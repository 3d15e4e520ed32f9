import { Refused } from "../../../lib/base/errors/bench_error.ts";
import type { JsonValue } from "../../../lib/base/values/json.ts";
import { type EnvNames, isCredential } from "../draft/credentials.ts";
import { snakeCase, TAKEN_NAMES, UniqueNames } from "../draft/names.ts";
import { referenceOf, template } from "../draft/template_text.ts";
import type { Item, Variable } from "./collection.ts";

/** Values of version 1 for the variables that Postman draws. */
const DRAWN: Readonly<Record<string, JsonValue>> = {
  guid: "uuid",
  randomUUID: "uuid",
  timestamp: { now: "unix" },
  isoTimestamp: { now: "rfc3339" },
  randomInt: { int: "0..1000" },
  randomBoolean: { choice: [true, false] },
  randomPrice: { decimal: "0.00..1000.00" },
  randomLatitude: { decimal: "-90.0000..90.0000" },
  randomLongitude: { decimal: "-180.0000..180.0000" },
  randomBankAccount: { int: "10000000..99999999" },
};
/** Those of them that are texts. */
const TEXTS = /^(?:guid|randomUUID|isoTimestamp)$/;
/** Any other one that Postman draws. */
const ANY_TEXT: JsonValue = { hex: 8 };

/** Variables as a collection's texts name them: `{{host}}`, `{{$guid}}`. */
const NAMED = /\{\{\s*([^{}]+?)\s*\}\}/g;
/** Values that name other variables. */
const MOST_RESOLVED = 5;

/** Variables of one text, those in their values counted. */
const MOST_IN_TEXT = 10_000;

/** The variables that texts of a collection name. */
export class Variables {
  /** Drawn for each iteration, by name. */
  readonly drawn: Record<string, JsonValue> = {};
  /** Variables without a value, and what is read in place of each. */
  readonly #unset = new Map<string, string>();
  readonly #unlike = new Set<string>();
  /** By the place of the request that names them, in either pass. */
  readonly #names = new Map<string, string>();
  readonly #taken = new UniqueNames(TAKEN_NAMES);
  /** Of the flow, by the name that scripts set. */
  readonly #extracted = new Map<string, string>();
  /** Those that may be numbers, of JSON or drawn. */
  readonly #numbers = new Set<string>();
  /** Set by a request before this one. */
  readonly #set = new Set<string>();
  #item: Item | undefined;
  #nth = 0;
  /** In the text that is being written out. */
  #count = 0;
  readonly #places = new Map<Item, number>();

  constructor(
    readonly known: ReadonlyMap<string, Variable>,
    readonly env: EnvNames,
  ) {}

  /** @param isRead whether the flow reads what a template names */
  notes(isRead: (reference: string) => boolean): string[] {
    const unset = [...this.#unset].filter(([, text]) =>
      isRead(referenceOf(text)!)
    ).map(([name, text]) =>
      `${referenceOf(text)!.slice("env.".length)} for ${name}`
    );
    return [
      ...unset.length === 0 ? [] : [
        `without a value in the collection or its environment, to be set for the run: ${
          unset.join(", ")
        }`,
      ],
      ...[...this.#unlike].map((name) =>
        `Postman's $${name} is drawn as a random text: write what it should be under \`values\``
      ),
    ];
  }

  /** Texts of this request follow. Each one that is drawn has a value of its own. */
  begin(item: Item): void {
    this.#item = item;
    this.#nth = 0;
    if (!this.#places.has(item)) this.#places.set(item, this.#places.size);
    if (this.#places.get(item) === 0) this.#set.clear();
  }

  /**
   * Texts of later requests read what the response gave.
   *
   * @param parts of the response, by the name of a variable
   * @returns the same by the names of the flow
   */
  set(parts: ReadonlyMap<string, string>): Record<string, string> {
    return Object.fromEntries(
      [...parts].map(([name, source]) => {
        this.#set.add(name);
        const own = this.#flowName(name);
        if (source.startsWith("$")) this.#numbers.add(own);
        return [own, source];
      }),
    );
  }

  /** Whether the value that a template names may be a number. */
  mayBeNumber(reference: string): boolean {
    return this.#numbers.has(reference);
  }

  #flowName(name: string): string {
    return this.#extracted.getOrInsertComputed(name, () => {
      const plain = snakeCase(name);
      return this.#taken.of(/^[a-z]/.test(plain) ? plain : "value");
    });
  }

  /** The text with its variables: their values, or templates. */
  in(text: string, depth = 0): string {
    if (depth === 0) this.#count = 0;
    return text.replaceAll(NAMED, (written, name: string) => {
      if (++this.#count > MOST_IN_TEXT) {
        throw new Refused(
          `the variables of a text expand to more than ${MOST_IN_TEXT}`,
          "write it out in the collection, or leave the request out",
        );
      }
      if (name.startsWith("$")) return template(this.#draw(name.slice(1)));
      if (this.#set.has(name)) return template(this.#flowName(name));
      const variable = this.known.get(name);
      if (!variable || variable.value === "") {
        return this.#fromEnvironment(name);
      }
      const { value, secret } = variable;
      if (secret || isCredential(name, value)) {
        return this.env.templateOf(value, name, `variable ${name}`);
      }
      return depth < MOST_RESOLVED ? this.in(value, depth + 1) : written;
    });
  }

  #fromEnvironment(name: string): string {
    const text = this.env.templateOf(
      `{{${name}}}`,
      name,
      `variable ${name}`,
      false,
    );
    this.#unset.set(name, text);
    return text;
  }

  #draw(name: string): string {
    const place = `${this.#places.get(this.#item!)} ${this.#nth++}`;
    const made = this.#names.get(place);
    if (made !== undefined) return made;
    const value = Object.hasOwn(DRAWN, name) ? DRAWN[name]! : ANY_TEXT;
    if (value === ANY_TEXT) this.#unlike.add(name);
    const plain = snakeCase(name);
    const own = this.#taken.of(/^[a-z]/.test(plain) ? plain : "drawn");
    this.#names.set(place, own);
    this.drawn[own] = value;
    if (value !== ANY_TEXT && !TEXTS.test(name)) this.#numbers.add(own);
    return own;
  }
}
