/** A browser as far as a recording is concerned: cookies, and a HAR of what it did. */
export class RecordedClient {
  readonly #entries: unknown[] = [];
  readonly #cookies = new Map<string, string>();
  readonly #base: string;
  readonly headers: Record<string, string> = {};

  constructor(base: string) {
    this.#base = base;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Got> {
    return this.#send("GET", path, undefined, headers);
  }

  /** Sends JSON; a text is a form. */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Got> {
    return this.#send(method, path, body, headers);
  }

  post(
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Got> {
    return this.#send("POST", path, body, headers);
  }

  cookie(name: string): string {
    return this.#cookies.get(name) ?? "";
  }

  /** A request that belongs to the page, not to the user. */
  note(url: string, resource: string, mimeType: string): void {
    this.#entries.push({
      startedDateTime: "2026-01-01T00:00:00.000Z",
      _resourceType: resource,
      request: { method: "GET", url, headers: [] },
      response: { status: 200, headers: [], content: { mimeType, text: "x" } },
    });
  }

  /** The recording as a file. */
  get har(): string {
    return JSON.stringify({ log: { version: "1.2", entries: this.#entries } });
  }

  async #send(
    method: string,
    path: string,
    body: unknown,
    own: Record<string, string>,
  ): Promise<Got> {
    const url = new URL(path, this.#base);
    const headers: Record<string, string> = {
      "User-Agent": "Browser/1.0",
      "Accept": "application/json, text/plain, */*",
      "Sec-Fetch-Mode": "cors",
      "Referer": `${this.#base}/app`,
      ...this.headers,
      ...own,
    };
    if (this.#cookies.size > 0) {
      headers["Cookie"] = [...this.#cookies].map((each) => each.join("="))
        .join("; ");
    }
    const isForm = typeof body === "string";
    const type = isForm
      ? "application/x-www-form-urlencoded"
      : "application/json";
    if (body !== undefined) headers["Content-Type"] = type;
    const text = isForm ? body : JSON.stringify(body);
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      ...(body !== undefined && { body: text! }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.#cookies.set(name!, value!);
    }
    const content = await response.text();
    const pairs = (list: Iterable<[string, string]>) =>
      [...list].map(([name, value]) => ({ name, value }));
    this.#entries.push({
      startedDateTime: "2026-01-01T00:00:00.000Z",
      _resourceType: "xhr",
      request: {
        method,
        url: url.href,
        headers: pairs(Object.entries(headers)),
        ...(body !== undefined && { postData: { mimeType: type, text } }),
      },
      response: {
        status: response.status,
        headers: pairs(response.headers),
        content: {
          mimeType: response.headers.get("content-type") ?? "",
          text: content,
        },
      },
    });
    return {
      status: response.status,
      json: /^[{[]/.test(content) ? JSON.parse(content) : undefined,
      text: content,
      header: (name) => response.headers.get(name) ?? "",
    };
  }
}

/** What the server said. */
export interface Got {
  readonly status: number;
  // deno-lint-ignore no-explicit-any -- what a test server said
  readonly json: any;
  readonly text: string;
  header(name: string): string;
}
