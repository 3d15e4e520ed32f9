import assert from "node:assert/strict";
import { AgentScraper } from "../../../../lib/results/samples/agent_scraper.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { RequestError } from "../../../../lib/wire/http1/request_head.ts";
import { type RawConnection, rawServer } from "../../../support/raw_server.ts";
import { STRICT } from "../../../support/strict.ts";

const READING =
  '{"ts_ms":42,"cpu_seconds_total":2,"cpu_cores":1,"mem_used_bytes":1,"mem_total_bytes":2,' +
  '"net_rx_bytes_total":5,"net_tx_bytes_total":6,"open_fds":7,"load1":0.5}';

type Scraped = Awaited<ReturnType<AgentScraper["scrape"]>>;

const response = (body: string, status = "200 OK") =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** Asks an agent made of bytes a few times. */
async function ask(
  agent: (connection: RawConnection, index: number) => Promise<void>,
  { times = 1, token }: { times?: number; token?: string } = {},
): Promise<{ scraped: Scraped[]; accepted: number }> {
  const server = rawServer(agent);
  const scraper = new AgentScraper(
    `127.0.0.1:${server.port}`,
    token,
    systemClock,
  );
  const scraped: Scraped[] = [];
  for (let nth = 0; nth < times; nth++) scraped.push(await scraper.scrape());
  await scraper.close();
  const { accepted } = server;
  await server.close();
  return { scraped, accepted };
}

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ...STRICT });
}

test("AgentScraper: one connection serves many scrapes", async () => {
  const { scraped, accepted } = await ask(async (connection) => {
    while (await connection.request()) await connection.send(response(READING));
  }, { times: 3 });
  assert.ok(
    scraped.every((each) => "reading" in each && each.reading.open_fds === 7),
  );
  assert.strictEqual(accepted, 1);
});

test("AgentScraper: the request, without and with a token", async () => {
  const seen: (string | undefined)[] = [];
  const agent = async (connection: RawConnection) => {
    seen.push(await connection.request());
    await connection.send(response(READING));
  };
  await ask(agent);
  await ask(agent, { token: "s3cret" });
  assert.match(
    seen[0]!,
    /^GET \/metrics HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/,
  );
  assert.match(seen[0]!, /\r\nAccept: application\/json\r\n/);
  assert.strictEqual(/Authorization/i.test(seen[0]!), false);
  assert.match(seen[1]!, /\r\nAuthorization: Bearer s3cret\r\n/);
});

const FAILURES: readonly [rule: string, sends: string, problem: RegExp][] = [
  ["a page of somebody else's", response("<html>"), /not the reading of/],
  ["no HTTP at all", "hello there\r\n\r\n", /protocol/i],
  [
    "401 says what to set",
    response("{}", "401 Unauthorized"),
    /BENCH_AGENT_TOKEN/,
  ],
  ["501 says why", response("{}", "501 Not Implemented"), /not run Linux/],
  ["another status", response("{}", "503 Busy"), /it responded with 503/],
  [
    "a redirect is not followed",
    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
    /it responded with 302/,
  ],
  [
    "a response that is cut off",
    "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{",
    /incomplete response/,
  ],
  [
    "a response that is far too long",
    response(`${READING.slice(0, -1)},"x":"${"x".repeat(70_000)}"}`),
    /not the reading of/,
  ],
];

for (const [rule, sends, problem] of FAILURES) {
  test(`AgentScraper: ${rule}`, async () => {
    const { scraped } = await ask(async (connection) => {
      await connection.request();
      await connection.send(sends);
    });
    assert.match((scraped[0] as { problem: string }).problem, problem);
  });
}

test("AgentScraper: an agent that is restarted is asked on a new connection", async () => {
  const { scraped, accepted } = await ask(async (connection) => {
    await connection.request();
    await connection.send(
      response(READING).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"),
    );
  }, { times: 2 });
  assert.ok(scraped.every((each) => "reading" in each));
  assert.strictEqual(accepted, 2);
});

test("AgentScraper: nothing listens", async () => {
  const server = rawServer(async () => {});
  const { port } = server;
  await server.close();
  const scraper = new AgentScraper(`127.0.0.1:${port}`, undefined, systemClock);
  assert.match(
    (await scraper.scrape() as { problem: string }).problem,
    /refused/i,
  );
  await scraper.close();
});

test("AgentScraper: one that stalls, before or within its response, is abandoned", async () => {
  const stalls = ["", "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{"];
  const problems = await Promise.all(stalls.map(async (sends) => {
    const { scraped } = await ask(async (connection) => {
      await connection.request();
      await connection.send(sends);
      await connection.request();
    });
    return (scraped[0] as { problem: string }).problem;
  }));
  problems.forEach((each) =>
    assert.match(each, /No complete response within 800ms/)
  );
});

test("AgentScraper: close gives up a scrape under way", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = rawServer(async (connection) => {
    await connection.request();
    asked.resolve();
    await connection.request();
  });
  const scraper = new AgentScraper(
    `127.0.0.1:${server.port}`,
    undefined,
    systemClock,
  );
  const scrape = scraper.scrape();
  await asked.promise;
  await scraper.close();
  assert.deepStrictEqual(Object.keys(await scrape), ["problem"]);
});

Deno.test("AgentScraper: a token no header can carry is refused without showing it", () => {
  assert.throws(
    () => new AgentScraper("127.0.0.1:1", "a\nb", systemClock),
    (error) => error instanceof RequestError && !error.message.includes("a\nb"),
  );
});
