import type { RecordedClient } from "./recorded_client.ts";

/** One thing a user does. */
export interface Journey {
  readonly name: string;
  visit(client: RecordedClient): Promise<void>;
}

const PASSWORD = "geheim-4711";

async function signIn(client: RecordedClient): Promise<string> {
  const { json } = await client.post("/login", {
    email: "ada@example.com",
    password: PASSWORD,
  });
  client.headers["Authorization"] = `Bearer ${json.access_token}`;
  return json.refresh_token;
}

const openSession = (client: RecordedClient) =>
  client.post("/session", { user: "ada", password: PASSWORD });

const journey = (
  name: string,
  visit: (client: RecordedClient) => Promise<unknown>,
): Journey => ({
  name,
  visit: async (client) => void await visit(client),
});

/** What users of many kinds of sites do. */
export const JOURNEYS: readonly Journey[] = [
  journey("a search that needs nothing", async (c) => {
    await c.get("/search?q=brass%20engine&limit=10");
    await c.get("/search?q=wire");
  }),
  journey("JWT login", async (c) => {
    await signIn(c);
    await c.get("/me");
  }),
  journey("JWT login, then the user's own id", async (c) => {
    const { json } = await c.post("/login", {
      email: "a@b.example",
      password: PASSWORD,
    });
    c.headers["Authorization"] = `Bearer ${json.access_token}`;
    await c.get(`/users/${json.user.id}`);
  }),
  journey("a token that is renewed", async (c) => {
    const refresh = await signIn(c);
    await c.get("/me");
    const { json } = await c.post("/refresh", { refresh_token: refresh });
    c.headers["Authorization"] = `Bearer ${json.access_token}`;
    await c.get("/me");
  }),
  journey("a wrong password first", async (c) => {
    await c.post("/login", {
      email: "ada@example.com",
      password: "geheim-falsch",
    });
    await signIn(c);
    await c.get("/me");
  }),
  journey("a session cookie", async (c) => {
    await openSession(c);
    await c.get("/account");
    await c.send("PUT", "/account", { name: "Ada" });
  }),
  journey("a cookie that changes with every response", async (c) => {
    await c.get("/rotate");
    await c.get("/rotate");
    await c.get("/rotate");
  }),
  journey("a CSRF field in the body", async (c) => {
    await openSession(c);
    const { json } = await c.get("/csrf");
    await c.post("/transfer", { csrf_token: json.csrf_token, amount: 5 });
  }),
  journey("a CSRF token in a header", async (c) => {
    await openSession(c);
    const { json } = await c.get("/csrf");
    const made = await c.post("/transfer", { amount: 5 }, {
      "X-CSRF-Token": json.csrf_token,
    });
    await c.get(`/transfers/${made.json.transfer.id}`);
  }),
  journey("a CSRF cookie sent back as a header", async (c) => {
    await c.get("/app");
    await c.post("/comments", { text: "hello" }, {
      "X-XSRF-TOKEN": c.cookie("XSRF-TOKEN"),
    });
  }),
  journey("a created id that only Location has", async (c) => {
    const made = await c.post("/projects", { name: "p" });
    await c.get(made.header("location"));
  }),
  journey("a created UUID, read, changed and deleted", async (c) => {
    const { json } = await c.post("/items", { name: "lamp" });
    await c.get(`/items/${json.id}`);
    await c.send("PUT", `/items/${json.id}`, { id: json.id, name: "lamps" });
    await c.send("DELETE", `/items/${json.id}`);
  }),
  journey("a created number", async (c) => {
    const { json } = await c.post("/tickets", { title: "t" });
    await c.get(`/tickets/${json.id}`);
  }),
  journey("a number that has to stay one", async (c) => {
    const { json } = await c.post("/tickets", { title: "t" });
    await c.post("/notes", { ticket_id: json.id, text: "n" });
  }),
  journey("ids below ids", async (c) => {
    const { json } = await c.post("/tickets", { title: "t" });
    const note = await c.post(`/tickets/${json.id}/notes`, { text: "n" });
    await c.get(`/tickets/${note.json.note.id}`);
  }),
  journey("two things of the same kind", async (c) => {
    const one = await c.post("/items", { name: "one" });
    const two = await c.post("/items", { name: "two" });
    await c.get(`/items/${two.json.id}`);
    await c.get(`/items/${one.json.id}`);
  }),
  journey("the third of a list", async (c) => {
    const { json } = await c.get("/products");
    await c.get(`/products/${json.items[2].id}`);
  }),
  journey("several of a list at once", async (c) => {
    const { json } = await c.get("/products");
    await c.post("/batch", { ids: [json.items[0].id, json.items[1].id] });
    await c.post("/compare", {
      left: { sku: json.items[0].slug },
      right: { sku: json.items[2].slug },
    });
  }),
  journey("pages by cursor", async (c) => {
    const first = await c.get("/feed");
    const second = await c.get(`/feed?cursor=${first.json.next_cursor}`);
    await c.get(`/feed?cursor=${second.json.next_cursor}`);
  }),
  journey("pages by absolute links", async (c) => {
    const first = await c.get("/pages");
    const second = await c.get(first.json.next);
    await c.get(second.json.next);
  }),
  journey("pages by relative links", async (c) => {
    const first = await c.get("/links");
    await c.get(first.json._links.next.href);
  }),
  journey("pages by number", async (c) => {
    const { json } = await c.get("/numbered");
    await c.get(`/numbered?page=${json.next_page}`);
  }),
  journey("a job and its result", async (c) => {
    const { json } = await c.post("/jobs", { kind: "export" });
    const done = await c.get(`/jobs/${json.job.id}`);
    await c.get(`/results/${done.json.result_id}`);
  }),
  journey("an ETag that protects a change", async (c) => {
    const read = await c.get("/docs/readme");
    await c.send("PUT", "/docs/readme", { title: "u" }, {
      "If-Match": read.header("etag"),
    });
  }),
  journey("GraphQL: sign in, create, query", async (c) => {
    const { json } = await c.post("/graphql", {
      operationName: "SignIn",
      query:
        "mutation SignIn($user: String!, $password: String!) { signIn(user: $user, password: $password) { token } }",
      variables: { user: "ada", password: PASSWORD },
    });
    c.headers["Authorization"] = `Bearer ${json.data.signIn.token}`;
    const made = await c.post("/graphql", {
      query: 'mutation { createPost(text: "x") { id } }',
    });
    await c.post("/graphql", {
      query: "query Post($id: ID!) { post(id: $id) { id } }",
      variables: { id: made.json.data.createPost.id },
    });
  }),
  journey("an upload in two steps", async (c) => {
    const { json } = await c.post("/uploads", { size: 3 });
    await c.send("PUT", json.upload.url, { data: "abc" }, {
      "X-Upload-Ticket": json.upload.ticket,
    });
  }),
  journey("a code, then a token in a header of its own", async (c) => {
    const { json } = await c.post("/otp/start", { phone: "+4912345" });
    const done = await c.post("/otp/verify", {
      challenge_id: json.challenge_id,
      otp: "123456",
    });
    await c.get("/vault", { "X-Session-Token": done.json.session_token });
  }),
  journey(
    "an API key, basic auth, a redirect and a token in the query",
    async (c) => {
      await c.get("/keyed", { "X-Api-Key": "k-geheim-0815" });
      await c.get("/basic", {
        Authorization: `Basic ${btoa(`ada:${PASSWORD}`)}`,
      });
      const moved = await c.get("/old");
      await c.get(moved.header("location"));
      const { json } = await c.post("/login", {
        email: "a@b.example",
        password: PASSWORD,
      });
      await c.get(`/report?access_token=${json.access_token}`);
    },
  ),
  journey(
    "a form with a CSRF field of an HTML page",
    async (c) => {
      const { text } = await c.get("/page");
      const csrf = /value=([^>]+)>/.exec(text)![1]!;
      await c.post("/form", `csrf=${csrf}`);
    },
  ),
  journey(
    "a login by form",
    (c) => c.post("/form-login", `user=ada&password=${PASSWORD}`),
  ),
];
