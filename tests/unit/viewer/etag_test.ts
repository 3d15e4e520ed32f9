import { equal, match } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

const { id } = metaOf();

Deno.test("response: what a reader has already is not sent again", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf());
  const ask = asker(folder.path);
  for (const path of ["/", `/runs/${id}`, "/api/v1/runs", "/help"]) {
    const first = await ask(path);
    const tag = first.headers.get("etag")!;
    match(tag, /^W\/"[\w-]{22}"$/, path);
    await first.body?.cancel();
    const strong = tag.slice(2);
    for (const known of [tag, strong, `"x", ${tag}`, "*"]) {
      for (const method of ["GET", "HEAD"]) {
        const again = await ask(path, {
          method,
          headers: { "if-none-match": known },
        });
        equal(again.status, 304, `${method} ${path} ${known}`);
        equal(await again.text(), "");
        equal(again.headers.get("etag"), tag);
        match(again.headers.get("content-security-policy")!, /'none'/);
      }
    }
    const other = await ask(path, { headers: { "if-none-match": '"x"' } });
    equal(other.status, 200);
    equal(other.headers.get("etag"), tag);
    await other.body?.cancel();
  }
});

Deno.test("response: a tag changes with what is said", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf());
  const ask = asker(folder.path);
  const tag = async () => {
    const response = await ask("/api/v1/runs");
    await response.body?.cancel();
    return response.headers.get("etag")!;
  };
  const before = await tag();
  equal(await tag(), before);
  putRun(folder.path, metaOf({ id: "20261121T180211Z-checkout-0000ab" }));
  equal((await tag()) === before, false);
});

Deno.test("response: errors and files to take along have no tag", async () => {
  using folder = workspace({});
  putRun(folder.path, metaOf());
  const ask = asker(folder.path);
  for (
    const path of ["/none", "/api/v1/runs/none", `/runs/${id}/export/json`]
  ) {
    const response = await ask(path, { headers: { "if-none-match": "*" } });
    equal(response.status === 304, false, path);
    equal(response.headers.get("etag"), null, path);
    await response.body?.cancel();
  }
});
