import { type Clock, systemClock } from "../../lib/base/time/clock.ts";
import {
  jsonResponse,
  readObject,
  refuse,
  type Routes,
  type RouteTable,
  routeTable,
} from "./route.ts";
import { makeBurner, slowClock, spentLonger, stressRoutes } from "./stress.ts";
import { formRoutes } from "./forms.ts";
import { credentialRoutes } from "./credentials.ts";
import { graphqlRoutes } from "./graphql.ts";
import { startGrpcDemo } from "./grpc.ts";
import { jobRoutes, Jobs, shopRoutes } from "./shop.ts";
import { socketRoutes } from "./socket.ts";
import { degradedRoutes } from "./degraded.ts";

/** Where the demo target listens. */
interface DemoOptions {
  /** 0 for any free port; gRPC is served one above it. */
  readonly port: number;
  /** A loopback address. */
  readonly hostname: string;
  /** HTTP responses take longer by this share of what they took. */
  readonly slower?: number;
  readonly clock?: Clock;
}

/** A running demo target. */
export interface DemoTarget {
  /** Base URL without a slash at the end. */
  readonly url: string;
  /** Address of its gRPC server. */
  readonly grpcUrl: string;
  /** Stops listening and waits for the responses under way. */
  close(): Promise<void>;
}

const plainRoutes: Routes = {
  "GET /health": () => jsonResponse(200, { status: "ok" }),
  "GET /items/*": ({ rest }) =>
    /^\d{1,9}$/.test(rest)
      ? jsonResponse(200, { id: Number(rest), name: `Item ${Number(rest)}` })
      : refuse(404, `there is no item \`${rest}\``),
  "POST /echo": async ({ request }) => {
    const body = await readObject(request);
    return body
      ? jsonResponse(200, body)
      : refuse(400, "the body must be a JSON object");
  },
};

/**
 * Starts the target that `bench demo` and the examples run against: a small
 * shop with a queue, limits, delays and every kind of credential. All of its
 * state is in memory and bounded.
 *
 * @throws {Error} when it could only listen somewhere else than asked
 */
export async function startDemoTarget(
  { port, hostname, slower = 0, clock = systemClock }: DemoOptions,
): Promise<DemoTarget> {
  const slow = slowClock(clock, slower);
  const jobs = new Jobs();
  const burner = makeBurner(navigator.hardwareConcurrency);
  const routes = routeTable(
    plainRoutes,
    shopRoutes(jobs),
    jobRoutes(jobs),
    degradedRoutes(),
    stressRoutes(burner),
    graphqlRoutes(),
    socketRoutes(),
    credentialRoutes,
    formRoutes(),
  );
  // Set, it would move any server of this process to another address.
  Deno.env.delete("DENO_SERVE_ADDRESS");
  const server = Deno.serve(
    { port, hostname, onListen: () => {} },
    (request) =>
      slower > 0
        ? spentLonger(() => respond(request, routes, slow), slower, clock)
        : respond(request, routes, clock),
  );
  const { addr } = server;
  if (addr.transport !== "tcp" || addr.hostname !== hostname) {
    await server.shutdown();
    throw new Error(
      `Cannot start the demo target on ${hostname}: it came up on ${
        JSON.stringify(addr)
      }`,
    );
  }
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  const grpc = await startGrpcDemo(port === 0 ? 0 : port + 1, hostname)
    .catch(async (error) => {
      burner.close();
      await server.shutdown();
      throw error;
    });
  return {
    url: `http://${host}:${addr.port}`,
    grpcUrl: `grpc://${host}:${grpc.port}`,
    async close() {
      // First, so that no thread does work for a closed connection.
      burner.close();
      await Promise.all([grpc.close(), server.shutdown()]);
    },
  };
}

function respond(
  request: Request,
  routes: RouteTable,
  clock: Clock,
): Response | Promise<Response> {
  const { url, method } = request;
  const start = url.indexOf("/", "http://".length);
  const mark = url.indexOf("?", start);
  const path = mark < 0 ? url.slice(start) : url.slice(start, mark);
  const found = routes.find(method, path);
  if (!found) return refuse(404, `there is nothing at \`${path}\``);
  if (!("handler" in found)) {
    return refuse(405, `\`${method}\` is not for \`${path}\``, {
      allow: found.join(", "),
    });
  }
  return found.handler({
    request,
    path,
    query: mark < 0 ? "" : url.slice(mark + 1),
    rest: found.rest,
    clock,
  });
}
