import {
  deepStrictEqual,
  match,
  ok,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { Stop } from "../../lib/run.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import { type Ask, runStep, SECRET, type StepRun } from "./contract_run.ts";
import type {
  FixtureServer,
  Manner,
  ProtocolFixture,
  Rule,
} from "./protocol_fixture.ts";
import { freePort } from "../support/free_port.ts";
import { STRICT } from "../support/strict.ts";

type Against = (
  server: FixtureServer,
  run: (ask?: Omit<Ask, "url">) => Promise<StepRun>,
) => Promise<void>;

/**
 * Registers the tests every protocol that makes requests passes. A rule that is
 * left out gets a test of its own that shows the reason in its name.
 */
export function protocolContract(fixture: ProtocolFixture): void {
  const { codes } = fixture;
  const kind = fixture.http === "2"
    ? `${fixture.kind} over HTTP/2`
    : fixture.kind;

  const test = (rule: Rule, fn: () => Promise<void>) => {
    const reason = fixture.skips?.[rule];
    if (reason !== undefined) return leftOut(kind, rule, reason);
    Deno.test({
      name: `${kind}: ${rule}`,
      ...STRICT,
      fn,
    });
  };
  const addressOf = ({ url }: FixtureServer) => fixture.address?.(url) ?? url;
  const against = (rule: Rule, manner: Manner, check: Against) =>
    test(rule, async () => {
      await using server = await fixture.start(manner);
      await check(
        server,
        (ask) => runStep(fixture, { url: server.url, ...ask }),
      );
    });

  against("a timeout fails the step", "stays silent", async (_, run) => {
    failsWith(codes.timeout, await run({ target: "request_timeout: 200ms" }));
  });

  test("a refused connection fails the step", async () => {
    failsWith(codes.refused, await runStep(fixture, { url: deadUrl() }));
  });

  against(
    "a response cut in the middle fails the step",
    "breaks off",
    async (_, run) => failsWith(codes.brokenOff, await run()),
  );

  against("a throttle is its own class", "throttles", async (_, run) => {
    const { meta } = await run({ profile: "mode: load, iterations: 3" });
    strictEqual(meta.throttle_rate, 1);
    strictEqual(meta.error_rate, 0);
    strictEqual(meta.steps[0]!.throttled, 3);
    strictEqual(meta.exit_code, 0);
  });

  against("a throttle fails a functional run", "throttles", async (_, run) => {
    const { meta } = await run();
    deepStrictEqual([meta.throttle_rate, meta.error_rate], [1, 1]);
    strictEqual(meta.exit_code, 1);
  });

  against(
    "a host outside base_urls is refused before the run",
    "responds",
    async (server) => {
      const stepUrl = addressOf(server);
      const asked = runStep(fixture, { url: deadUrl(), stepUrl });
      await rejects(asked, (error) => {
        ok(error instanceof InputError);
        const [first, ...more] = error.diagnostics;
        strictEqual(first!.code, "forbidden-host");
        ok(first!.at.range, "the error has a location");
        return more.length === 0;
      });
      strictEqual(server.credentials.length, 0);
    },
  );

  against(
    "a host that a template makes is refused before it is dialed",
    "responds",
    async (server) => {
      const run = await runStep(fixture, {
        url: deadUrl(),
        stepUrl: "{{ env.ELSEWHERE }}",
        env: { ELSEWHERE: addressOf(server) },
      });
      failsWith("forbidden-host", run);
      strictEqual(server.credentials.length, 0);
    },
  );

  against(
    "the credential travels with the request",
    "responds",
    async (server, run) => {
      const { meta } = await run();
      strictEqual(meta.exit_code, 0, JSON.stringify(meta.failures));
      deepStrictEqual(server.credentials, [`Bearer ${SECRET}`]);
    },
  );

  against("no file of the run holds a secret", "responds", async (_, run) => {
    const { meta, files } = await run();
    strictEqual(meta.exit_code, 0, JSON.stringify(meta.failures));
    for (const [name, text] of files) {
      ok(!text.includes(SECRET), `${name} holds the secret`);
    }
    match(files.get("traces.json")!, /Bearer \[redacted\]/);
  });

  against(
    "a hard stop ends a request under way",
    "stays silent",
    async (server, run) => {
      const stop = new Stop();
      const running = run({ stop });
      await server.asked;
      stop.hard("interrupted", "stopped by the test");
      const { meta } = await running;
      strictEqual(meta.status, "interrupted");
      strictEqual(meta.iterations.completed, 0, "it counts in no rate");
    },
  );

  against(
    "a hard stop ends the worker threads too",
    "stays silent",
    async (server, run) => {
      const stop = new Stop();
      const profile = "mode: load, vus: 4, hold: 10m";
      const running = run({ stop, profile, workers: 2 });
      await server.asked;
      stop.hard("interrupted", "stopped by the test");
      const { meta } = await running;
      strictEqual(meta.status, "interrupted");
      strictEqual(meta.iterations.completed, 0, "they count in no rate");
    },
  );

  against("a load run leaks nothing", "responds", async (server, run) => {
    const { meta } = await run({
      profile: "mode: load, vus: 3, iterations: 30",
    });
    strictEqual(meta.iterations.passed, 30, JSON.stringify(meta.failures));
    strictEqual(server.credentials.length, 30);
  });

  against(
    "worker threads meet the bound exactly",
    "responds",
    async (server, run) => {
      const profile = "mode: load, vus: 4, iterations: 40";
      const { meta } = await run({ profile, workers: 2 });
      strictEqual(meta.iterations.passed, 40, JSON.stringify(meta.failures));
      strictEqual(server.credentials.length, 40);
    },
  );

  against(
    "an executed step gives one latency sample",
    "responds",
    async (_, run) => {
      const { meta } = await run();
      const [step] = meta.steps;
      deepStrictEqual([step!.executions, step!.requests], [1, 1]);
      ok(step!.latency.max! > 0);
      ok(step!.bytes_sent > 0);
      ok(step!.bytes_received > 0);
    },
  );
}

function failsWith(code: string, { meta }: StepRun): void {
  deepStrictEqual(meta.failures.map((each) => each.code), [code]);
  deepStrictEqual([meta.iterations.failed, meta.throttle_rate], [1, 0]);
  strictEqual(meta.exit_code, 1);
  ok(meta.failures[0]!.line, "the failure points at the step");
}

function leftOut(kind: string, rule: Rule, reason: string): void {
  Deno.test(`${kind}: left out: ${rule} (${reason})`, () => {
    match(reason, /\w+ \w+ \w+/, "a reason is a sentence");
  });
}

/** A loopback URL where nothing listens. */
function deadUrl(): string {
  return `http://127.0.0.1:${freePort()}`;
}
