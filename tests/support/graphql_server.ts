import { buildSchema } from "graphql";
import { createHandler } from "graphql-http/lib/use/fetch";

/** The reference implementation of GraphQL over HTTP, on a loopback port. */
export interface GraphqlServer extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the requests so far. */
  readonly bodies: readonly string[];
}

const SCHEMA = `
  type Query {
    hello(name: String = "you"): String!
    echo(input: Anything!): String!
    number: Int
    broken: Int
    brokenForSure: Int!
    user(id: ID!): User
  }
  input Anything { text: String, count: Int, deep: Anything, list: [Int!] }
  type Mutation { add(a: Int!, b: Int!): Int! }
  type User { id: ID! name: String! posts: [Post!]! }
  type Post { id: ID! title: String }
`;

const ROOT = {
  hello: ({ name }: { name: string }) => `hello ${name}`,
  echo: ({ input }: { input: unknown }) => JSON.stringify(input),
  number: () => 42,
  broken: () => {
    throw new Error("boom");
  },
  brokenForSure: () => {
    throw new Error("boom for sure");
  },
  add: ({ a, b }: { a: number; b: number }) => a + b,
  user: ({ id }: { id: string }) => ({
    id,
    name: `user ${id}`,
    posts: [
      { id: "1", title: "first" },
      {
        id: "2",
        title: () => {
          throw new Error("no title");
        },
      },
    ],
  }),
};

/**
 * Starts one.
 *
 * @param ownType responds in `application/graphql-response+json`, as to a client
 *   that asks for it
 */
export function graphqlServer(ownType = false): GraphqlServer {
  const handler = createHandler({
    schema: buildSchema(SCHEMA),
    rootValue: ROOT,
  });
  const bodies: string[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = await request.text();
      bodies.push(body);
      const headers = new Headers(request.headers);
      if (ownType) headers.set("accept", "application/graphql-response+json");
      return await handler(
        new Request(request.url, { method: request.method, headers, body }),
      );
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    bodies,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
