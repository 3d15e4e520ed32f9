import express from "express";
import session from "express-session";
import { csrfSync } from "csrf-sync";
import type { AddressInfo } from "node:net";

/** What of Express is used here; its packages bring no types. */
interface Exchange {
  readonly body: Record<string, string>;
  readonly session: { user?: string; regenerate(done: () => void): void };
  send(body: string): void;
  status(code: number): Exchange;
  json(body: unknown): void;
  redirect(status: number, to: string): void;
}

/** A site made with Express: sessions of express-session, forms with tokens of csrf-sync. */
export interface ExpressShop extends AsyncDisposable {
  readonly url: string;
  /** Logins that went well. */
  readonly logins: number;
  /** Requests with a session that was logged in. */
  readonly members: ReadonlySet<string>;
}

/** Starts one on loopback; any user has the password `sesame`. */
export async function expressShop(): Promise<ExpressShop> {
  let logins = 0;
  const members = new Set<string>();
  const csrf = csrfSync({
    getTokenFromRequest: (request: Exchange) => request.body?.["_csrf"],
  });
  const app = express();
  // Errors are no output of a test.
  app.set("env", "test");
  app.use(session({
    secret: "not one",
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: "lax" },
  }));
  app.use(express.urlencoded({ extended: false }));
  app.get("/login", (request: Exchange, response: Exchange) => {
    const token = csrf.generateToken(request);
    response.send(`<!doctype html><title>Log in</title>
<form method="post" action="/login"><input type="hidden" name="_csrf" value="${token}">
<input name="user"><input name="password" type="password"></form>`);
  });
  app.post(
    "/login",
    csrf.csrfSynchronisedProtection,
    (request: Exchange, response: Exchange) => {
      const { user = "", password } = request.body;
      if (password !== "sesame") return response.status(401).send("no");
      // A session that was known before the login is not used after it.
      request.session.regenerate(() => {
        request.session.user = user;
        logins++;
        response.redirect(303, "/account");
      });
    },
  );
  app.get("/account", (request: Exchange, response: Exchange) => {
    const { user } = request.session;
    if (user === undefined) return response.redirect(303, "/login");
    members.add(user);
    response.json({ user });
  });
  const server = app.listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get logins() {
      return logins;
    },
    members,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
