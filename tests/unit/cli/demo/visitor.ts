import {
  type DemoTarget,
  startDemoTarget,
} from "../../../../cli/demo/server.ts";
import type { Clock } from "../../../../lib/base/time/clock.ts";
import { STRICT } from "../../../support/strict.ts";

/** A clock that a test moves; sleeping moves it too. */
export class SteppedClock implements Clock {
  constructor(public ms = 1_700_000_000_000) {}
  readonly slept: number[] = [];
  now(): number {
    return this.ms;
  }
  wall(): number {
    return this.ms;
  }
  sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.ms += ms;
    return Promise.resolve();
  }
}

/** What came back, read to the end. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
}

/** Asks the demo target. */
export type Ask = (
  route: string,
  options?: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly form?: Readonly<Record<string, string>>;
  },
) => Promise<Seen>;

/** A test against a demo target of its own, by real requests on loopback. */
export function demoTest(
  name: string,
  run: (ask: Ask, clock: SteppedClock, target: DemoTarget) => Promise<void>,
): void {
  Deno.test({
    name,
    ...STRICT,
    async fn() {
      const clock = new SteppedClock();
      const target = await startDemoTarget({
        port: 0,
        hostname: "127.0.0.1",
        clock,
      });
      const client = Deno.createHttpClient({});
      const ask: Ask = async (route, { headers = {}, body, form } = {}) => {
        const [method = "", path = ""] = route.split(" ");
        const response = await fetch(target.url + path, {
          client,
          method,
          headers,
          body: form
            ? new URLSearchParams(form)
            : body === undefined
            ? null
            : JSON.stringify(body),
        });
        return {
          status: response.status,
          headers: response.headers,
          body: await response.json(),
        };
      };
      try {
        await run(ask, clock, target);
      } finally {
        client.close();
        await target.close();
      }
    },
  });
}
