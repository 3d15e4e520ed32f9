import assert from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";

Deno.test("bench duel refuses a target that is missing, and less than ten seconds", async () => {
  using place = workspace({
    "a.yaml": "name: a\nbase_urls: [http://127.0.0.1:9]\n",
    "a.bench.yaml": "flow: a\nsteps: [{ id: x, call: GET /x }]\n",
  });
  const duel = (...words: string[]) =>
    bench(["duel", "a.bench.yaml", "--target", "a.yaml", ...words], {
      cwd: place.path,
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
