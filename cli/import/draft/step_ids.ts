/** Parts of a path that say nothing of what is asked for. */
const GENERIC = /^(?:api|rest|v\d+(?:[.-]?\w+)?)$/i;
/** Numbers, UUIDs, long hexadecimal and random text, templates. */
const IDENTIFIER =
  /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{12,}|(?=.*\d)(?=.*[A-Za-z])[\w-]{16,})$|\{|^:/i;

/** Names steps after method and path; no name is given twice. */
export class StepIds {
  readonly #taken = new Set<string>();

  /** `GET /api/v1/orders/42/items` is `get-orders-items`. */
  of(method: string, path: string): string {
    const all = path.split("?")[0]!.split("/").filter((each) => each !== "");
    const said = all.filter((each) => !IDENTIFIER.test(each));
    const specific = said.filter((each) => !GENERIC.test(each));
    const parts = specific.length > 0 ? specific : said;
    const ends = all.length > 1 && IDENTIFIER.test(all.at(-1)!) ? ["one"] : [];
    return this.unique([method, ...parts.slice(-3), ...ends].join("-"));
  }

  /** `base` in the letters of an id; numbered when there is one already. */
  unique(base: string): string {
    const plain = base.toLowerCase().replaceAll(/[^a-z0-9_]+/g, "-")
      .replaceAll(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || "step";
    for (let count = 1;; count++) {
      const id = count === 1 ? plain : `${plain}-${count}`;
      if (this.#taken.has(id)) continue;
      this.#taken.add(id);
      return id;
    }
  }
}
