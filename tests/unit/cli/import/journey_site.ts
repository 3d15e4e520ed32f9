/**
 * A server with the habits of many. Ids, tokens and cookies differ from one to
 * the next, so that nothing recorded on one is good on another.
 */
export class JourneySite implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #seed: number;
  #count = 0;
  readonly #good = new Set<string>();
  #etag = "";
  #rotating = "";

  constructor(seed: number) {
    this.#seed = seed;
    this.#server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
    }, (request) => this.#respond(request));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  /** Something only this server gives out, remembered as good. */
  #token(prefix: string): string {
    const token = `${prefix}-${this.#seed}-${++this.#count}-Zq8vT${
      this.#seed * 7919 + this.#count
    }`;
    this.#good.add(token);
    return token;
  }

  #id(): number {
    const id = this.#seed * 100 + ++this.#count;
    this.#good.add(String(id));
    return id;
  }

  #uuid(): string {
    const id = crypto.randomUUID();
    this.#good.add(id);
    return id;
  }

  async #respond(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const text = await request.text();
    // deno-lint-ignore no-explicit-any -- what a journey sends
    const body: any = /^\s*[{[]/.test(text) ? JSON.parse(text) : {};
    const cookies = Object.fromEntries(
      (request.headers.get("cookie") ?? "").split("; ")
        .map((each) => each.split("=")),
    );
    const [first = "", ...rest] = url.pathname.slice(1).split("/");
    const handle = this.#routes[`${request.method} ${first}`] ??
      this.#routes[`* ${first}`];
    if (!handle) return respond(404, { error: "no such page" });
    return handle({
      request,
      url,
      body,
      cookies,
      rest,
      form: new URLSearchParams(text),
      bearer: /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")
        ?.[1] ?? "",
      header: (name) => request.headers.get(name) ?? "",
    });
  }

  #only(value: unknown, made: () => Response): Response {
    return this.#good.has(String(value))
      ? made()
      : respond(403, { error: "unknown", value: String(value) });
  }

  readonly #routes: Readonly<Record<string, (asked: Asked) => Response>> = {
    "POST login": ({ body }) =>
      body.password === "geheim-4711"
        ? respond(200, {
          access_token: this.#token("at"),
          refresh_token: this.#token("rt"),
          user: { id: this.#id(), email: body.email },
        })
        : respond(401, { error: "wrong password" }),
    "GET me": ({ bearer }) =>
      this.#only(bearer, () => respond(200, { id: this.#id(), plan: "free" })),
    "GET users": ({ bearer, rest }) =>
      this.#only(
        bearer,
        () => this.#only(rest[0], () => respond(200, { ok: 1 })),
      ),
    "POST refresh": ({ body }) =>
      this.#only(
        body.refresh_token,
        () => respond(200, { access_token: this.#token("at") }),
      ),
    "POST session": ({ body }) =>
      /^geheim-471[12]$/.test(body.password)
        ? respond(204, undefined, {
          "Set-Cookie": `sid=${this.#token("sid")}; Path=/; HttpOnly`,
        })
        : respond(401, {}),
    "* account": ({ cookies }) =>
      this.#only(cookies["sid"], () => respond(200, { name: "Ada" })),
    "GET csrf": ({ cookies }) =>
      this.#only(
        cookies["sid"],
        () => respond(200, { csrf_token: this.#token("csrf") }),
      ),
    "POST transfer": ({ body, cookies, header }) =>
      this.#only(
        cookies["sid"],
        () =>
          this.#only(
            body.csrf_token ?? header("x-csrf-token"),
            () => respond(201, { transfer: { id: this.#uuid() } }),
          ),
      ),
    "GET transfers": ({ rest }) => this.#only(rest[0], () => respond(200, {})),
    "GET app": () =>
      respond(200, "<h1>App</h1>", {
        "Content-Type": "text/html",
        "Set-Cookie": `XSRF-TOKEN=${this.#token("xsrf")}; Path=/`,
      }),
    "POST comments": ({ cookies, header }) =>
      this.#only(
        cookies["XSRF-TOKEN"],
        () => this.#only(header("x-xsrf-token"), () => respond(201, {})),
      ),
    "POST projects": () =>
      respond(201, undefined, { Location: `/projects/${this.#id()}` }),
    "* projects": ({ rest }) =>
      this.#only(rest[0], () => respond(200, { name: "p" })),
    "POST items": ({ body }) =>
      respond(201, { id: this.#uuid(), name: body.name }),
    "* items": ({ rest, request }) =>
      this.#only(
        rest[0],
        () =>
          request.method === "DELETE"
            ? respond(204, undefined)
            : respond(200, { id: rest[0] }),
      ),
    "* tickets": ({ rest }) =>
      rest.length === 0 ? respond(201, { id: this.#id() }) : this.#only(
        rest[0],
        () =>
          rest[1] === "notes"
            ? respond(201, { note: { id: this.#id() } })
            : respond(200, { ticket: Number(rest[0]) }),
      ),
    "POST notes": ({ body }) =>
      this.#only(
        body.ticket_id,
        () =>
          typeof body.ticket_id === "number"
            ? respond(201, {})
            : respond(400, { error: "a number, please" }),
      ),
    "GET products": ({ rest }) =>
      rest.length === 0
        ? respond(200, {
          items: [1, 2, 3].map(() => ({
            id: this.#id(),
            slug: this.#token("s"),
          })),
          total: 3,
        })
        : this.#only(rest[0], () => respond(200, { price: 1999 })),
    "POST batch": ({ body }) =>
      body.ids.every((each: number) => this.#good.has(String(each)))
        ? respond(200, { count: body.ids.length })
        : respond(403, {}),
    "POST compare": ({ body }) =>
      this.#only(
        body.left.sku,
        () => this.#only(body.right.sku, () => respond(200, {})),
      ),
    "GET feed": ({ url }) => {
      const cursor = url.searchParams.get("cursor");
      const page = () =>
        respond(200, { entries: ["a"], next_cursor: this.#token("c") });
      return cursor === null ? page() : this.#only(cursor, page);
    },
    "GET pages": ({ url }) => {
      const after = url.searchParams.get("after");
      const page = () =>
        respond(200, { next: `${this.url}/pages?after=${this.#token("p")}` });
      return after === null ? page() : this.#only(after, page);
    },
    "GET links": ({ url }) => {
      const after = url.searchParams.get("after");
      const page = () =>
        respond(200, {
          _links: { next: { href: `/links?after=${this.#token("l")}` } },
        });
      return after === null ? page() : this.#only(after, page);
    },
    "GET numbered": ({ url }) => {
      const page = url.searchParams.get("page");
      const made = () => respond(200, { items: [], next_page: this.#id() });
      return page === null ? made() : this.#only(page, made);
    },
    "POST jobs": () =>
      respond(202, { job: { id: this.#uuid() }, status: "queued" }),
    "GET jobs": ({ rest }) =>
      this.#only(
        rest[0],
        () => respond(200, { status: "done", result_id: this.#id() }),
      ),
    "GET results": ({ rest }) =>
      this.#only(rest[0], () => respond(200, [1, 2])),
    "GET docs": () =>
      respond(200, { title: "t" }, {
        ETag: this.#etag = `"${this.#token("e")}"`,
      }),
    "PUT docs": ({ header }) =>
      header("if-match") === this.#etag ? respond(200, {}) : respond(412, {}),
    "POST graphql": ({ body, bearer }) => {
      const { query, variables: given = {} } = body;
      if (/signIn/.test(query)) {
        return respond(200, {
          data: { signIn: { token: this.#token("jwt") } },
        });
      }
      return this.#only(bearer, () => {
        if (/createPost/.test(query)) {
          return respond(200, {
            data: { createPost: { id: `post_${this.#id()}` } },
          });
        }
        const id = String(given.id ?? "").replace("post_", "");
        return this.#only(id, () => respond(200, { data: { post: { id } } }));
      });
    },
    "POST uploads": () =>
      respond(201, {
        upload: { url: `/blobs/${this.#uuid()}`, ticket: this.#token("u") },
      }),
    "PUT blobs": ({ rest, header }) =>
      this.#only(
        rest[0],
        () => this.#only(header("x-upload-ticket"), () => respond(200, {})),
      ),
    "POST otp": ({ body, rest }) =>
      rest[0] === "start"
        ? respond(200, { challenge_id: this.#uuid() })
        : this.#only(
          body.challenge_id,
          () => respond(200, { session_token: this.#token("st") }),
        ),
    "GET vault": ({ header }) =>
      this.#only(header("x-session-token"), () => respond(200, {})),
    "GET old": () =>
      respond(302, undefined, { Location: `/new/${this.#id()}` }),
    "GET new": ({ rest }) => this.#only(rest[0], () => respond(200, {})),
    "GET rotate": ({ cookies }) => {
      const made = () =>
        respond(200, {}, {
          "Set-Cookie": `turn=${this.#rotating = this.#token("turn")}; Path=/`,
        });
      if (this.#rotating === "") return made();
      return cookies["turn"] === this.#rotating ? made() : respond(403, {});
    },
    "GET keyed": ({ header }) =>
      header("x-api-key") === "k-geheim-0815"
        ? respond(200, {})
        : respond(401, {}),
    "GET basic": ({ header }) =>
      header("authorization") === `Basic ${btoa("ada:geheim-4711")}`
        ? respond(200, {})
        : respond(401, {}),
    "GET report": ({ url }) =>
      this.#only(url.searchParams.get("access_token"), () => respond(200, {})),
    "GET page": () =>
      respond(
        200,
        `<form><input type=hidden name=csrf value=${this.#token("h")}></form>`,
        { "Content-Type": "text/html" },
      ),
    "POST form": ({ form }) =>
      this.#only(form.get("csrf"), () => respond(200, {})),
    "POST form-login": ({ form }) =>
      form.get("password") === "geheim-4711"
        ? respond(200, {})
        : respond(401, {}),
    "GET search": ({ url }) => respond(200, { q: url.searchParams.get("q") }),
  };
}

interface Asked {
  readonly request: Request;
  readonly url: URL;
  // deno-lint-ignore no-explicit-any -- what a journey sends
  readonly body: any;
  readonly form: URLSearchParams;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly rest: readonly string[];
  readonly bearer: string;
  header(name: string): string;
}

function respond(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  if (body === undefined) return new Response(null, { status, headers });
  if (typeof body === "string") return new Response(body, { status, headers });
  return Response.json(body, { status, headers });
}
