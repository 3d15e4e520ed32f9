/** One flow of `bench demo`. */
interface DemoFlow {
  /** Its name in `examples/`. */
  readonly file: string;
  /** What it shows, for the line above its summary. */
  readonly shows: string;
  /** It calls the target's gRPC server. */
  readonly grpc?: true;
}

/** What `bench demo` runs, in order. A new example is one line. */
export const DEMO_FLOWS: readonly DemoFlow[] = [
  { file: "shop.bench.yaml", shows: "a whole flow over HTTP" },
  { file: "graphql.bench.yaml", shows: "GraphQL operations" },
  { file: "grpc.bench.yaml", shows: "unary gRPC calls", grpc: true },
  { file: "ws.bench.yaml", shows: "a WebSocket session" },
  { file: "demo_load.bench.yaml", shows: "ten seconds of load" },
];
