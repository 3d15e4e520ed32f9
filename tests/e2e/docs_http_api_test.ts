import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { join } from "node:path";
import { demoTarget } from "../support/demo_target.ts";
import { API } from "../../viewer/api/routes.ts";
import { PAGES } from "../../viewer/routes.ts";
import { bench, ROOT, workspace } from "../support/bench.ts";
import { HOME_FOLDER } from "../support/program.ts";
import { pageText } from "../support/docs/blocks.ts";
import { codeWords, firstColumn, keysIn } from "../support/docs/reference.ts";
import { runIds } from "../support/run_fixture.ts";
import { asker } from "../support/viewer_fixture.ts";

const HTTP_API = "docs/http-api.md";

/** `/api/v1/runs/:run/steps` as a page writes it: `/runs/<run>/steps`. */
function written(path: string): string {
  return path.replace(/^\/api\/v1/, "").replaceAll(/:(\w+)/g, "<$1>");
}

/** An address without its query. */
function bare(address: string): string {
  return address.split("?")[0]!;
}

Deno.test("docs/http-api.md: every route, and no others", () => {
  const named = [...pageText(HTTP_API).matchAll(/`(\/[^`]*)`/g)]
    .map(([, address]) => bare(address!))
    .filter((address) => address !== "/api/v1");
  const routes = Object.keys(API).map(written);
  deepStrictEqual([...new Set(named)].toSorted(), routes.toSorted());
});

Deno.test("docs/http-api.md: every parameter that a route reads", () => {
  const source = [
    "api/routes.ts",
    "api/responses.ts",
    "model/traces.ts",
  ]
    .map((file) => Deno.readTextFileSync(join(ROOT, "viewer", file))).join();
  const read = [
    ...source.matchAll(
      /(?:\b(?:searchParams|fields|query)\.get(?:All)?\(|numberOf\(url, |\bnumber\()"(\w+)"/g,
    ),
  ].map(([, name]) => name!);
  const text = pageText(HTTP_API);
  const said = [...text.matchAll(/[?&](\w+)=|`(\w+)=/g)]
    .map(([, first, second]) => first ?? second!);
  ok(read.length > 10);
  deepStrictEqual(read.filter((name) => !said.includes(name)), []);
});

Deno.test("docs/viewer.md: every page there is, and no others", () => {
  const listed = firstColumn(pageText("docs/viewer.md"))
    .filter((cell) => cell.startsWith("/")).map(bare);
  deepStrictEqual(listed.toSorted(), Object.keys(PAGES).map(written).sort());
});

/** Flows that together leave something in every file of a run. */
const FLOWS = ["shop", "ws", "throttle"];

Deno.test("docs: every key that is returned or stored stands on its page", async () => {
  await using demo = await demoTarget();
  using folder = workspace({
    "here.yaml": `name: here\nbase_urls: [${demo.url}]\n`,
  });
  const store = join(folder.path, "runs");
  for (const flow of FLOWS) {
    const { code, stdout } = await bench([
      "run",
      join(HOME_FOLDER, `examples/${flow}.bench.yaml`),
      `--target=${join(folder.path, "here.yaml")}`,
      `--store=${store}`,
    ]);
    equal(code, 0, stdout);
  }
  const stored = codeWords(pageText("docs/run-directory.md"));
  const returned = codeWords(pageText(HTTP_API));
  const unknown = (value: unknown, ...pages: ReadonlySet<string>[]) =>
    [...new Set(keysIn(value))].filter((key) =>
      !VALUES.test(key) && !pages.some((words) => words.has(key))
    );
  const read = (id: string, file: string) =>
    JSON.parse(Deno.readTextFileSync(join(store, id, file)));
  for (const id of runIds(store)) {
    for (
      const file of ["meta", "series", "traces", "histograms"].map((name) =>
        `${name}.json`
      )
    ) {
      deepStrictEqual(unknown(read(id, file), stored), [], `${id}/${file}`);
    }
  }
  const ask = asker(store);
  const [a, b] = runIds(store);
  const trace = read(a!, "traces.json").traces[0].trace_id;
  const asked = Object.keys(API)
    .filter((path) => path.startsWith("/api/") && !/events|agent/.test(path));
  ok(asked.length > 9);
  for (const path of asked) {
    const address = path.replace(":run", a!).replace(":trace", trace);
    const query = path.endsWith("/compare") ? `?a=${a}&b=${b}` : "";
    const response = await ask(`${address}${query}`);
    equal(response.status, 200, address);
    const body = await response.json();
    if (path.endsWith("/flow")) continue;
    deepStrictEqual(unknown(body, stored, returned), [], path);
  }
});

/** Keys that are values: ids of steps, percentiles. */
const VALUES =
  /^(?:\d[\d.]*|login|search|order|limited|pause|packed|receipt|open|ask|echo|flaky)$/;
