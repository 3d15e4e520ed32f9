/** One flow of `bench demo`. */
export interface DemoFlow {
  /** Its name in `examples/`. */
  readonly file: string;
  /** What it shows, for the line above its summary. */
  readonly shows: string;
}

/** What `bench demo` runs, in order. A new example is one line. */
export const DEMO_FLOWS: readonly DemoFlow[] = [
  { file: "shop.bench.yaml", shows: "a whole flow over HTTP" },
  { file: "graphql.bench.yaml", shows: "GraphQL operations" },
  { file: "demo_load.bench.yaml", shows: "ten seconds of load" },
];
