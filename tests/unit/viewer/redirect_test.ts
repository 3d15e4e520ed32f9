import { equal } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

const ID = metaOf().id;

Deno.test("response: an address with a slash at its end, and /runs, lead to the page", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf());
  const ask = asker(folder.path);
  for (
    const [path, location] of [
      ["/runs", "/"],
      ["/runs/", "/"],
      ["/runs?q=x", "/?q=x"],
      [`/runs/${ID}/`, `/runs/${ID}`],
      [`/runs/${ID}/traces/?q=x`, `/runs/${ID}/traces?q=x`],
      ["/help/", "/help"],
    ] as const
  ) {
    const response = await ask(path);
    equal(response.status, 308, path);
    equal(response.headers.get("location"), location);
  }
  equal((await ask("/nothing/")).status, 404);
});
