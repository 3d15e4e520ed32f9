import { freePort } from "../free_port.ts";

/** Where the addresses that pages name are during a test. */
export interface Addresses {
  /** A page's text with the addresses of this test. */
  moved(text: string): string;
  /** The other way: what was printed here, as the page would show it. */
  movedBack(text: string): string;
}

/** The environment every page's commands have: what the demo target accepts. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
  API_TOKEN: "demo-token",
  API_KEY: "demo-api-key",
  CLIENT_ID: "demo-client",
  CLIENT_SECRET: "demo-client-secret",
  PASSWORD: "analytical-engine",
  SIGNING_KEY: "demo-hmac-secret",
  SIGNING_KEY_ID: "demo-key",
};

/** What of a test listens where; each is `host:port`. */
export interface Listening {
  readonly demo: string;
  readonly grpc: string;
  /** Nothing listens here yet: the page starts it. */
  readonly agent: string;
  readonly viewer: string;
}

/**
 * The table from the addresses of pages to those of a test. Many tests run on
 * one machine, so none may take the ports that a person would use; and hosts
 * under `example.com` stand for the reader's own.
 */
export function addresses({ demo, grpc, agent, viewer }: Listening): Addresses {
  const table: readonly (readonly [RegExp, string, string?])[] = [
    [/127\.0\.0\.1:7800\b/g, demo, "127.0.0.1:7800"],
    [/127\.0\.0\.1:7801\b/g, grpc, "127.0.0.1:7801"],
    [/\bhttps:\/\/[a-z]+\.example\.com\b/g, `http://${demo}`],
    [/\bgrpcs:\/\/[a-z]+\.example\.com:443\b/g, `grpc://${grpc}`],
    [/\b(?:10\.0\.0\.5|127\.0\.0\.1):9090\b/g, agent, "127.0.0.1:9090"],
    [/\b127\.0\.0\.1:7878\b/g, viewer, "127.0.0.1:7878"],
  ];
  return {
    moved: (text) =>
      table.reduce((moved, [page, here]) => moved.replaceAll(page, here), text),
    movedBack: (text) =>
      table.reduce(
        (moved, [, here, page]) =>
          page === undefined ? moved : moved.replaceAll(here, page),
        text,
      ),
  };
}

/** An address of this machine that is free now. */
export function freeAddress(): string {
  return `127.0.0.1:${freePort()}`;
}
