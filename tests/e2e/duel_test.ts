import assert from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { bench, workspace } from "../support/bench.ts";
import { recordingServer } from "../support/recording_server.ts";

Deno.test({
  name:
    "bench duel is worse where the other target fails, and says so in every form; each side has its own cookies",
  async fn() {
    let turn = 0;
    const setting = (status: number, cookie: string) =>
      rawResponse(status, {}, { "Set-Cookie": cookie });
    await using fine = recordingServer(() => setting(200, "of=fine"));
    await using broken = recordingServer(() =>
      setting(turn++ % 2 === 0 ? 200 : 500, "of=broken")
    );
    using folder = workspace({
      "a.yaml": `name: a\nbase_urls: ["${fine.url}"]\n`,
      "b.yaml": `name: b\nbase_urls: ["${broken.url}"]\n`,
      "a.bench.yaml": `version: 1
flow: a
cookies: vu
profile: { mode: load, vus: 1, arrival_cap: 20/s }
steps: [{ id: x, call: GET /x }]
`,
    });
    const { code, stdout, stderr } = await bench(
      [
        ...["duel", "a.bench.yaml", "--target", "a.yaml", "--against"],
        ...["b.yaml", "--for", "11s", "--store", "runs", "--json"],
        ...["--junit", "duel.xml", "--report-md", "duel.md", "--quiet"],
        ...[fine.url, "http://other.invalid:1"].flatMap((each) => [
          "--resolve",
          `${new URL(each).host}:127.0.0.1`,
        ]),
      ],
      { cwd: folder.path },
    );
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^note: --resolve of other\.invalid:1 has no effect/);
    assert.equal(stderr.match(/--resolve/g)?.length, 1, stderr);
    const { verdict, figures, bases } = JSON.parse(stdout);
    assert.equal(verdict, "worse");
    const errors = figures.find((each: { metric: string }) =>
      each.metric === "error_rate"
    );
    assert.equal(errors.verdict, "worse");
    assert.equal(bases.length, 1);
    const read = (name: string) =>
      Deno.readTextFileSync(`${folder.path}/${name}`);
    assert.match(read("duel.xml"), /<failure message="error_rate is worse/);
    assert.match(read("duel.md"), /^## ❌ a: worse.*error_rate/);
    const runs = [...Deno.readDirSync(`${folder.path}/runs`)];
    assert.equal(runs.length, 2);
    for (const { name } of runs) {
      const { judged } = JSON.parse(read(`runs/${name}/meta.json`));
      assert.equal(judged.length, 1);
      assert.match(judged[0].text, /^B is worse: error_rate \+/);
    }
    const sent = ({ arrivals }: typeof fine) => [
      ...new Set(
        arrivals.map(({ text }) => /^cookie: (.*)\r$/im.exec(text)?.[1]),
      ),
    ];
    assert.deepEqual(sent(fine), [undefined, "of=fine"]);
    assert.deepEqual(sent(broken), [undefined, "of=broken"]);
  },
});

Deno.test("bench duel refuses a target that is missing, and less than ten seconds", async () => {
  using folder = workspace({
    "a.yaml": "name: a\nbase_urls: [http://127.0.0.1:9]\n",
    "a.bench.yaml": "flow: a\nsteps: [{ id: x, call: GET /x }]\n",
  });
  const duel = (...words: string[]) =>
    bench(["duel", "a.bench.yaml", "--target", "a.yaml", ...words], {
      cwd: folder.path,
    });
  const [none, missing, short] = await Promise.all([
    duel(),
    duel("--against", "./b.yaml"),
    duel("--against", "a.yaml", "--for", "5s"),
  ]);
  assert.deepEqual([none.code, missing.code, short.code], [2, 2, 2]);
  assert.match(none.stderr, /required option '--against <name\|file>'/);
  assert.match(missing.stderr, /b\.yaml/);
  assert.match(short.stderr, /It must be 10s or longer, but it is 5s/);
});

Deno.test("bench duel says that a side ended early, and why", async () => {
  await using server = recordingServer();
  const rows = (count: number) =>
    ["id", ...Array.from({ length: count }, (_, i) => i)].join("\n");
  const flow = (file: string) =>
    `version: 1
flow: dry
profile: { mode: load, vus: 1, arrival_cap: 20/s }
pools: { user: { path: ${file}, on_exhausted: stop } }
steps: [{ id: x, call: "GET /{{ user.id }}" }]
`;
  using folder = workspace({
    "a.yaml": `name: a\nbase_urls: ["${server.url}"]\n`,
    "few.csv": rows(5),
    "more.csv": rows(210),
    "few.bench.yaml": flow("few.csv"),
    "more.bench.yaml": flow("more.csv"),
  });
  const duel = (name: string) =>
    bench([
      ...["duel", `${name}.bench.yaml`, "--target", "a.yaml", "--against"],
      ...["a.yaml", "--for", "20s", "--json", "--quiet"],
      ...["--store", `${name}-runs`],
    ], { cwd: folder.path });
  const [few, more] = await Promise.all([duel("few"), duel("more")]);
  assert.equal(few.code, 3, few.stderr);
  assert.match(
    few.stderr,
    /there is nothing to compare: \S+-dry-\w+: it ended after \d+ms of 20s: a pool has no rows left, expected at least 10s\n {2}= add rows/,
  );
  assert.doesNotMatch(few.stderr, /`hold: /);
  const { notes } = JSON.parse(more.stdout);
  const early = notes.filter((each: string) =>
    /^\S+-dry-\w+: it ended after \S+s of 20s: a pool has no rows left$/
      .test(each)
  );
  assert.equal(early.length, 2, more.stdout);
});
