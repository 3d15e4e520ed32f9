import { plainLetters } from "../../../lib/base/text/plain_letters.ts";
import { hasTemplate } from "./template_text.ts";

/** A text in lower case, with `_` between its words: `X-userId` is `x_user_id`. */
export function snakeCase(text: string): string {
  return betweenWords(text, "_").replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "").toLowerCase();
}

/** A text in lower case, with `-` for what is no letter, digit or `_`; `é` is `e`. */
export function kebabCase(text: string, longest: number): string {
  return plainLetters(text.toLowerCase()).replaceAll(/[^a-z0-9_]+/g, "-")
    .replace(/^-+/, "").slice(0, longest).replace(/-+$/, "");
}

/** `separator` where a capital letter begins another word. */
export function betweenWords(text: string, separator: string): string {
  return text.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, separator);
}

/** Roots of templates and subjects of assertions, which name no variable. */
export const TAKEN_NAMES: readonly string[] = [
  "env",
  "user",
  "status",
  "latency",
  "header",
  "cookie",
  "body",
];

/** Gives no name twice. */
export class UniqueNames {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string> = [], readonly separator: string = "_") {
    this.#taken = new Set(taken);
  }

  /** The name itself; with a number from the second time on. */
  of(base: string): string {
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) {
      name = `${base}${this.separator}${count}`;
    }
    this.#taken.add(name);
    return name;
  }
}

/** Parts of a path that say nothing of what is asked for. */
const GENERIC = /^(?:api|rest|v\d+(?:[.-]?\w+)?)$/i;
/** Numbers, UUIDs, long hexadecimal and random text; templates are as well. */
const IDENTIFIER =
  /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|(?=.*\d)(?=.*[A-Za-z])[\w-]{16,})$|\{|^:/i;

/** Names steps after method and path. */
export class StepIds {
  readonly #names = new UniqueNames([], "-");

  /** `GET /api/v1/orders/42/items` is `get-orders-items`. */
  of(method: string, path: string): string {
    const all = path.split("?")[0]!.split("/").filter((each) => each !== "");
    const isOne = (each: string) => hasTemplate(each) || IDENTIFIER.test(each);
    const said = all.filter((each) => !isOne(each));
    const specific = said.filter((each) => !GENERIC.test(each));
    const parts = specific.length > 0 ? specific : said;
    const ends = all.length > 1 && isOne(all.at(-1)!) ? ["one"] : [];
    return this.unique([method, ...parts.slice(-3), ...ends].join("-"));
  }

  /** `base` in the letters of an id. */
  unique(base: string): string {
    return this.#names.of(kebabCase(base, 60) || "step");
  }
}
