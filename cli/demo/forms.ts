import { BoundedMap, USERS } from "./shop.ts";
import { jsonResponse, type RequestContext, type Routes } from "./route.ts";

/** A page with the form: the token has to come back with it. */
function loginPage(token: string, error = ""): string {
  return `<!doctype html>
<html><head><title>Log in</title><meta name="csrf-token" content="${token}"></head>
<body>${error && `<p class="error">${error}</p>`}
<form method="post" action="/account/login">
<input type="hidden" name="csrf" value="${token}">
<input name="user"><input name="password" type="password">
</form></body></html>
`;
}

/** A site for browsers: a form with a CSRF token, a session in a cookie. */
export function formRoutes(): Routes {
  const tokens = new BoundedMap<string>(10_000);
  const users = new BoundedMap<string>(10_000);
  const page = (status: number, session: string, error?: string) => {
    const token = crypto.randomUUID();
    tokens.set(session, token);
    return new Response(loginPage(token, error), {
      status,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "set-cookie": cookie(session),
      },
    });
  };
  return {
    "GET /account/login": ({ request }) =>
      page(200, sessionOf(request) ?? crypto.randomUUID()),
    "POST /account/login": async ({ request }) => {
      const session = sessionOf(request) ?? "";
      const form = await request.formData().catch(() => new FormData());
      if (form.get("csrf") !== tokens.get(session)) {
        return page(
          403,
          crypto.randomUUID(),
          "the form is not the one you got",
        );
      }
      const user = String(form.get("user"));
      if (!Object.hasOwn(USERS, user) || USERS[user] !== form.get("password")) {
        return page(401, session, "wrong user or password");
      }
      // A session that was known before the login is not used after it.
      const own = crypto.randomUUID();
      users.set(own, user);
      return new Response(null, {
        status: 303,
        headers: { location: "/account", "set-cookie": cookie(own) },
      });
    },
    "GET /account": ({ request }) => {
      const user = users.get(sessionOf(request) ?? "");
      return user === undefined
        ? new Response(null, {
          status: 303,
          headers: { location: "/account/login" },
        })
        : jsonResponse(200, { user });
    },
    "POST /uploads": upload,
  };
}

function cookie(session: string): string {
  return `session=${session}; Path=/account; HttpOnly; SameSite=Lax`;
}

function sessionOf(request: Request): string | undefined {
  return /(?:^|;\s*)session=([^;]+)/.exec(request.headers.get("cookie") ?? "")
    ?.[1];
}

/** The parts of a body that is a form, else its type and size. */
async function upload({ request }: RequestContext): Promise<Response> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("multipart/form-data")) {
    const { byteLength } = await request.arrayBuffer();
    return jsonResponse(201, { type, bytes: byteLength });
  }
  const form = await request.formData().catch(() => undefined);
  if (!form) return jsonResponse(400, { error: "a broken form" });
  const parts = [...form].map(([name, value]) =>
    typeof value === "string"
      ? { name, value }
      : { name, file: value.name, type: value.type, bytes: value.size }
  );
  return jsonResponse(201, { parts });
}
