import assert from "node:assert/strict";
import { bench } from "../support/bench.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { storeMadeRun } from "../unit/results/comparison/made_run.ts";

Deno.test("bench compare: exit code 1 and reports for a worse run, 0 for one that is not, 2 for what cannot be compared", async () => {
  const store = await Deno.makeTempDir();
  try {
    const size = { seconds: 30, perSecond: 20 };
    const [base, slow] = await Promise.all(
      [{ seed: 1 }, { seed: 2, ms: 40 }].map((each) =>
        storeMadeRun(store, { ...each, ...size })
      ),
    );
    const id = (dir: string) => dir.split("/").at(-1)!;
    const compare = (...words: string[]) =>
      bench(["compare", ...words, "--store", store], { cwd: store });
    const [worse, better, missing] = await Promise.all([
      compare(id(slow!), "--with", id(base!), "--junit", "out/junit.xml"),
      compare(id(base!), "--with", slow!, "--json"),
      compare("20261120T180211Z-none-000000", "--with", id(base!)),
    ]);
    assert.equal(worse.code, 1, worse.stderr);
    assert.match(worse.stdout, /✗ WORSE\n {2}worse by more than 5%: p50/);
    assert.match(
      await Deno.readTextFile(`${store}/out/junit.xml`),
      /failure message="p50 is worse/,
    );
    assert.equal(better.code, 0, better.stderr);
    assert.equal(JSON.parse(better.stdout).verdict, "better");
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /there is no run `20261120T180211Z-none-000000`/,
    );
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});

Deno.test("the verdict of bench compare is stored with both runs, once, and listed", async () => {
  const store = await Deno.makeTempDir();
  try {
    const [base, slow] = await Promise.all(
      [{ seed: 1 }, { seed: 2, ms: 40 }].map((each) =>
        storeMadeRun(store, { ...each, seconds: 30, perSecond: 20 })
      ),
    );
    const id = (dir: string) => dir.split("/").at(-1)!;
    const meta = (dir: string) =>
      JSON.parse(Deno.readTextFileSync(`${dir}/meta.json`));
    // A key of a version that is not there yet stays.
    Deno.writeTextFileSync(
      `${slow}/meta.json`,
      JSON.stringify({ ...meta(slow!), of_tomorrow: 1 }),
    );
    const ofStore = (...words: string[]) =>
      bench([...words, "--store", store], { cwd: store });
    for (let times = 0; times < 2; times++) {
      await ofStore("compare", id(slow!), "--with", id(base!));
    }
    const { judged } = meta(slow!);
    assert.deepEqual(meta(base!).judged, judged);
    assert.equal(meta(slow!).of_tomorrow, 1);
    assert.equal(judged.length, 1);
    assert.deepEqual(judged[0].runs, [id(slow!), id(base!)]);
    assert.match(
      judged[0].text,
      /^the candidate is worse: p50 \+\d+%, .*, .* and \d more figures?$/,
    );
    const listed = await ofStore("runs");
    assert.equal(listed.stdout.split("the candidate is worse: p50").length, 2);
    assert.match(listed.stdout, /✗ comparison/);
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});

Deno.test("rpc compare and replay: the result of the commands, and a refusal in words", async () => {
  const store = await Deno.makeTempDir();
  try {
    const [base, slow] = await Promise.all(
      [{ seed: 1 }, { seed: 2, ms: 40 }].map((each) =>
        storeMadeRun(store, { ...each, seconds: 20, perSecond: 20 })
      ),
    );
    await using client = new RpcClient();
    const compared = await client.ask(1, "compare", {
      run: slow,
      with: [base],
    });
    assert.equal(compared.result.verdict, "worse");
    const same = await client.ask(2, "compare", { run: slow, with: [slow] });
    assert.match(same.error!.message, /a run cannot be compared with itself/);
    const none = await client.ask(3, "replay", { run: base, trace: "ff" });
    assert.match(none.error!.message, /has no trace `ff`/);
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});

Deno.test("bench runs names some of the runs of a comparison of many", async () => {
  const store = await Deno.makeTempDir();
  try {
    const dir = await storeMadeRun(store, { seed: 1 });
    const id = dir.split("/").at(-1)!;
    const meta = JSON.parse(Deno.readTextFileSync(`${dir}/meta.json`));
    const listed = async (bases: number) => {
      const others = Array.from(
        { length: bases },
        (_, i) => `20261120T1802${String(10 + i)}Z-shop-00000f`,
      );
      const judged = [{
        ...{ kind: "comparison", verdict: "same", text: "the same" },
        runs: [id, ...others],
      }];
      Deno.writeTextFileSync(
        `${dir}/meta.json`,
        JSON.stringify({ ...meta, judged }),
      );
      const { stdout } = await bench(["runs", "--store", store], {
        cwd: store,
      });
      return [...stdout.matchAll(/Z-shop-00000f|and \d+ more/g)].map(String);
    };
    const names = (count: number) => Array(count).fill("Z-shop-00000f");
    assert.deepEqual(await listed(4), names(4));
    assert.deepEqual(await listed(30), [...names(3), "and 27 more"]);
  } finally {
    await Deno.remove(store, { recursive: true });
  }
});
