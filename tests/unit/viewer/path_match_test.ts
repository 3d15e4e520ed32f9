import { deepStrictEqual, equal } from "node:assert/strict";
import { matchPath } from "../../../viewer/path_match.ts";

const ROUTES = { "/": 1, "/runs/:run": 2, "/runs/:run/traces/:trace": 3 };

Deno.test("matchPath: finds a route and decodes the parts it names", () => {
  equal(matchPath(ROUTES, "/")?.value, 1);
  deepStrictEqual(matchPath(ROUTES, "/runs/a%20b/traces/ff"), {
    value: 3,
    params: { run: "a b", trace: "ff" },
  });
});

Deno.test("matchPath: a part that could be a path of its own fits nothing", () => {
  const cases = [
    "/runs/..%2f..%2fetc",
    "/runs/%2e%2e",
    "/runs/..%5c..",
    "/runs/a%00b",
    "/runs/.hidden",
    "/runs/",
    "/runs/%zz",
    "/runs/a/traces",
    "/runs/a/traces/b/c",
    "//runs/a",
  ];
  for (const path of cases) equal(matchPath(ROUTES, path), undefined, path);
});
