import { type FlagsOf, text, toggle, whole } from "../options/option.ts";

/** The sources that flows are made from. */
export const IMPORT_SOURCES = ["curl", "har", "openapi", "postman"] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** The parts of the source that flows are made of, and how. */
export const DRAFTING = {
  name: text("name", "of the flow (default: from the host)"),
  tag: text(
    "tag",
    "openapi: only the operations of this tag; postman: of this folder",
  ),
  environment: text(
    "file",
    "postman: the environment whose values stand for variables",
  ),
  mix: text(
    "name",
    "har: each recording is a flow of its own; postman: each folder at the top is; a mix of them is written besides",
  ),
  vus: whole(1, 1e6)("n", "make it a load test of n VUs"),
  hold: text("duration", "how long the load test is (default 30s)"),
};

export const IMPORT = {
  out: text(
    "dir",
    "write flow, target and .env.example there (default: print the flow)",
  ),
  target: text(
    "name|file",
    "run it once against this target",
    {
      more:
        "what does not hold is printed; the flow is kept as a draft, and the exit code is 1",
    },
  ),
  ...DRAFTING,
  force: toggle("write over files that are there"),
};
export type DraftingFlags = FlagsOf<typeof DRAFTING>;
export type ImportFlags = FlagsOf<typeof IMPORT>;
