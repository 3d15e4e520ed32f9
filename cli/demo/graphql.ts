import type { GraphQLSchema } from "graphql";
import { isObject } from "../../lib/base/values/json.ts";
import { readObject, type RequestContext, type Routes } from "./route.ts";
import { BoundedMap, PRODUCTS } from "./shop.ts";

const SCHEMA = `
  type Query {
    product(id: ID!): Product
    products(search: String = ""): [Product!]!
  }
  type Mutation {
    rate(product: ID!, stars: Int!): Rating!
  }
  type Product {
    id: ID!
    name: String!
    price: Int!
    tags: [String!]!
    "The warehouse has no rare things: an error, and null."
    stock: Int
    ratings: [Rating!]!
  }
  type Rating {
    product: ID!
    stars: Int!
  }
`;

interface Rating {
  readonly product: string;
  readonly stars: number;
}

/** Ratings kept for each product. */
const MOST_RATINGS = 100;

/**
 * The shop once more, as GraphQL: `POST /graphql`. A real GraphQL engine runs it;
 * it takes a moment to load, so it is loaded with the first question.
 */
export function graphqlRoutes(): Routes {
  const ratings = new BoundedMap<Rating[]>(PRODUCTS.length);
  const root = resolvers(ratings);
  let opened: Promise<Engine> | undefined;
  return {
    "POST /graphql": async (context) => {
      opened ??= openEngine();
      return await respond(context, await opened, root);
    },
  };
}

interface Engine {
  readonly schema: GraphQLSchema;
  readonly library: typeof import("graphql");
}

async function openEngine(): Promise<Engine> {
  const library = await import("graphql");
  return { library, schema: library.buildSchema(SCHEMA) };
}

function resolvers(ratings: BoundedMap<Rating[]>) {
  const shown = (product: typeof PRODUCTS[number]) => ({
    ...product,
    id: String(product.id),
    stock() {
      if (product.tags.some((tag) => tag === "rare")) {
        throw new Error(`the warehouse does not have "${product.name}"`);
      }
      return product.price % 100;
    },
    ratings: () => ratings.get(String(product.id)) ?? [],
  });
  const byId = (id: string) => PRODUCTS.find((each) => String(each.id) === id);
  return {
    product({ id }: { id: string }) {
      const product = byId(id);
      return product ? shown(product) : null;
    },
    products: ({ search }: { search: string }) =>
      PRODUCTS.filter(({ name }) =>
        name.toLowerCase().includes(search.toLowerCase())
      ).map(shown),
    rate(rating: Rating) {
      if (!byId(rating.product)) {
        throw new Error(`there is no product "${rating.product}"`);
      }
      if (rating.stars < 1 || rating.stars > 5) {
        throw new Error("stars are a number from 1 to 5");
      }
      const list = ratings.get(rating.product) ?? [];
      ratings.set(rating.product, [...list, rating].slice(-MOST_RATINGS));
      return rating;
    },
  };
}

/** GraphQL over HTTP, section 6: errors before the run are 400 in its own type. */
async function respond(
  { request }: RequestContext,
  { library, schema }: Engine,
  rootValue: unknown,
): Promise<Response> {
  const ownType = "application/graphql-response+json";
  const wantsOwn = request.headers.get("accept")?.includes(ownType) ?? false;
  const jsonResponse = (status: number, value: unknown) =>
    Response.json(value, {
      status,
      ...(wantsOwn && { headers: { "content-type": ownType } }),
    });
  const body = await readObject(request);
  if (!body || typeof body.query !== "string") {
    const message = "the body must be a JSON object with a `query`";
    return jsonResponse(400, { errors: [{ message }] });
  }
  const result = await library.graphql({
    schema,
    rootValue,
    source: body.query,
    variableValues: isObject(body.variables) ? body.variables : {},
    operationName: typeof body.operationName === "string"
      ? body.operationName
      : null,
  });
  return jsonResponse(wantsOwn && !("data" in result) ? 400 : 200, result);
}
