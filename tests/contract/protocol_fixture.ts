import type { HttpChoice } from "../../lib/model/result/response.ts";

/*
 * What a protocol gives the contract suite. Write `tests/contract/<kind>_fixture.ts`
 * that exports `fixture: ProtocolFixture`; `protocol_contract_test.ts` finds it by its
 * name and holds the protocol to every rule of `protocol_contract.ts`. A test fails
 * while a registered protocol that makes requests has no fixture.
 *
 * The suite runs a flow of one step through the whole engine, in this process and
 * with sanitizers on, against a server that the fixture starts. The step has
 * `auth: bearer` with a secret token, so the first request of each attempt (the
 * handshake, the call) carries `Authorization: Bearer <secret>`.
 */

/** How a server treats the step. */
export type Manner =
  /**
   * Everything goes well. The response a trace shows holds, somewhere in its JSON,
   * the `Authorization` value the server was sent: redaction has to hide it.
   */
  | "responds"
  /** Takes the request and never says anything. */
  | "stays silent"
  /** Begins a response, and cuts the connection in the middle of it. */
  | "breaks off"
  /** Refuses in the protocol's own words for "too many requests". */
  | "throttles";

/** A server on a free loopback port that nothing else uses. */
export interface FixtureServer extends AsyncDisposable {
  /** What goes into `base_urls`, such as `http://127.0.0.1:1234`. */
  readonly url: string;
  /** Resolves once the first request is there (for `ws`, the handshake). */
  readonly asked: Promise<void>;
  /** `Authorization` of every request so far, in order; a handshake is one. */
  readonly credentials: readonly (string | undefined)[];
}

/** A rule that a protocol may leave out, for a reason. */
export type Rule =
  | "a timeout fails the step"
  | "a refused connection fails the step"
  | "a response cut in the middle fails the step"
  | "a throttle is its own class"
  | "a throttle fails a functional run"
  | "a host outside base_urls is refused before the run"
  | "a host that a template makes is refused before it is dialed"
  | "the credential travels with the request"
  | "no file of the run holds a secret"
  | "a hard stop ends a request under way"
  | "a hard stop ends the worker threads too"
  | "a load run leaks nothing"
  | "worker threads meet the bound exactly"
  | "an executed step gives one latency sample";

export interface ProtocolFixture {
  /** The action key. */
  readonly kind: string;
  /**
   * The step's own lines of YAML, without `id` and without indentation, such as
   * `call: GET /x`. The request goes to `url` where one is given (a template,
   * or what `address` made), and to the base URL otherwise.
   */
  step(url?: string): string;
  /** How a step writes the address of a server; as `base_urls` does when absent. */
  address?(baseUrl: string): string;
  /** Files beside the flow, by name (schemas). */
  readonly files?: Readonly<Record<string, string>>;
  start(manner: Manner): FixtureServer | Promise<FixtureServer>;
  /** A server that speaks HTTP/2 alone, where the kind has that choice. */
  startHttp2?(manner: Manner): Promise<FixtureServer>;
  /** What `--http` says; `auto` when absent. */
  readonly http?: HttpChoice;
  /** `Failure.code` of each failure. */
  readonly codes: {
    readonly timeout: string;
    readonly refused: string;
    readonly brokenOff: string;
  };
  readonly skips?: Partial<Record<Rule, string>>;
}
