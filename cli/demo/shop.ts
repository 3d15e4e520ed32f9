import { hash } from "node:crypto";
import {
  type Handler,
  jsonResponse,
  readObject,
  refuse,
  type Routes,
} from "./route.ts";

/** A map that forgets its oldest entry when it holds `limit`. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, Value>();

  constructor(private readonly limit: number) {}

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    if (this.#entries.size >= this.limit && !this.#entries.has(key)) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest!);
    }
    this.#entries.set(key, value);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}

/** Passwords by user name: the rows of `examples/data/users.csv`. */
export const USERS: Readonly<Record<string, string>> = {
  ada: "analytical-engine",
  grace: "nanosecond-wire",
  katherine: "orbit-go",
};

/** The credentials of the examples of auth schemes; none is a secret. */
export const DEMO_CREDENTIALS = {
  token: "demo-token",
  username: "demo",
  password: "demo-password",
  apiKey: "demo-api-key",
  session: "demo-session",
  clientId: "demo-client",
  clientSecret: "demo-client-secret",
  hmacKeyId: "demo-key",
  hmacSecret: "demo-hmac-secret",
} as const;

/** The token of a user: the same at every login, so that no table grows. */
export function tokenOf(user: string): string {
  return hash("sha256", `bench demo ${user}`).slice(0, 32);
}

const BEARERS: ReadonlyMap<string, string> = new Map([
  ...Object.keys(USERS).map((user) =>
    [`Bearer ${tokenOf(user)}`, user] as const
  ),
  [`Bearer ${DEMO_CREDENTIALS.token}`, "demo"],
  [`Bearer ${tokenOf(DEMO_CREDENTIALS.clientId)}`, DEMO_CREDENTIALS.clientId],
]);

/** Who a request is from, by its bearer token. */
export function userOf(request: Request): string | undefined {
  return BEARERS.get(request.headers.get("authorization") ?? "");
}

/** The items of the shop; prices in cents. */
export const PRODUCTS = [
  { id: 1, name: "Difference engine", price: 129_900, tags: ["brass", "rare"] },
  { id: 2, name: "Punched cards", price: 450, tags: ["paper"] },
  { id: 3, name: "Nanosecond of wire", price: 99, tags: ["copper", "gift"] },
  { id: 4, name: "Slide rule", price: 3_450, tags: ["wood"] },
  { id: 5, name: "Engine oil", price: 899, tags: ["oil"] },
] as const;

interface Order {
  readonly [key: string]: string | number;
  readonly id: string;
  readonly user: string;
  readonly product: number;
  readonly quantity: number;
  readonly total: number;
  readonly job: string;
}

/** Login, search, and orders that are packed by a job. */
export function shopRoutes(jobs: Jobs): Routes {
  const orders = new BoundedMap<Order>(10_000);
  let last = 0;
  return {
    "POST /login": login,
    "GET /products": needUser((_user, { query }) => {
      const text = new URLSearchParams(query).get("q")?.toLowerCase() ?? "";
      const items = PRODUCTS.filter(({ name }) =>
        name.toLowerCase().includes(text)
      );
      return jsonResponse(200, { query: text, count: items.length, items });
    }),
    "POST /orders": needUser(async (user, { request }) => {
      const { product, quantity = 1 } = await readObject(request) ?? {};
      const found = PRODUCTS.find(({ id }) => id === product);
      if (!found) return refuse(422, "`product` must be the id of a product");
      if (!Number.isInteger(quantity) || Number(quantity) < 1) {
        return refuse(422, "`quantity` must be a whole number of at least 1");
      }
      const id = `order-${++last}`;
      const order = {
        id,
        user,
        product: found.id,
        quantity: Number(quantity),
        total: found.price * Number(quantity),
        job: jobs.add(2),
      };
      orders.set(id, order);
      return jsonResponse(201, order, { location: `/orders/${id}` });
    }),
    "GET /orders/*": needUser((user, { rest }) => {
      const order = orders.get(rest);
      return order && order.user === user
        ? jsonResponse(200, order)
        : refuse(404, `there is no order \`${rest}\` of yours`);
    }),
  };
}

const login: Handler = async ({ request }) => {
  const { user, password } = await readObject(request) ?? {};
  if (typeof user !== "string" || typeof password !== "string") {
    return refuse(400, "`user` and `password` must be strings");
  }
  if (!Object.hasOwn(USERS, user) || USERS[user] !== password) {
    return refuse(401, "user or password is wrong");
  }
  return jsonResponse(200, { token: tokenOf(user), user: { name: user } });
};

/** Lets a request pass that carries a known bearer token. */
function needUser(
  handler: (
    user: string,
    context: Parameters<Handler>[0],
  ) => Response | Promise<Response>,
): Handler {
  return (context) => {
    const user = userOf(context.request);
    return user === undefined
      ? refuse(401, "log in first", { "www-authenticate": "Bearer" })
      : handler(user, context);
  };
}

/** Work that is done after it was asked about a number of times. */
export class Jobs {
  /** Questions left until a job is done. */
  readonly #left = new BoundedMap<number>(10_000);
  #last = 0;

  /** @returns the id of a job that is pending for `polls` questions */
  add(polls: number): string {
    const id = `job-${++this.#last}`;
    this.#left.set(id, polls);
    return id;
  }

  /** Asks about a job; undefined when there is none. */
  ask(id: string): "pending" | "done" | undefined {
    const left = this.#left.get(id);
    if (left === undefined) return undefined;
    if (left === 0) return "done";
    this.#left.set(id, left - 1);
    return "pending";
  }
}

/** A queue: `POST /jobs` takes `{"polls": n}`, 2 by default. */
export function jobRoutes(jobs: Jobs): Routes {
  return {
    "POST /jobs": async ({ request }) => {
      const { polls = 2 } = await readObject(request) ?? {};
      if (!Number.isInteger(polls) || Number(polls) < 0) {
        return refuse(422, "`polls` must be a whole number of at least 0");
      }
      const id = jobs.add(Number(polls));
      return jsonResponse(202, { id, status: "pending" }, {
        location: `/jobs/${id}`,
      });
    },
    "GET /jobs/*": ({ rest }) => {
      const status = jobs.ask(rest);
      return status
        ? jsonResponse(200, { id: rest, status })
        : refuse(404, `there is no job \`${rest}\``);
    },
  };
}
