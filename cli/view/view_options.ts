import { type FlagsOf, off, text, toggle, words } from "../options/option.ts";
import { LISTED, STORE } from "../options/shared_options.ts";
import { type Format, FORMATS } from "../../viewer/model/formats.ts";

export const SERVE = {
  ...STORE,
  addr: text("host:port", "where to listen (default 127.0.0.1:7878)"),
  allow_remote: toggle("let --addr be reachable from other machines"),
};

export const RUNS = {
  ...LISTED,
  json: toggle("print them as JSON"),
};

export const REPORT = {
  format: words(Object.keys(FORMATS) as Format[])(
    "format",
    "the form (default: what the file's ending says; html without one)",
  ),
  output: text("file", "where to write it (default: stdout)", { short: "-o" }),
  html: text("file", "short for --format html and --output", {
    conflicts: ["format", "output"],
  }),
  baseline: text("run", "html: compare with this run of the same store"),
  payloads: off("html, har: leave out bodies and frames"),
  ...STORE,
  force: toggle("write over a file that is there"),
};
export type ReportFlags = FlagsOf<typeof REPORT>;
