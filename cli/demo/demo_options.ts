import { type FlagsOf, share, toggle, whole } from "../options/option.ts";
import { STORE } from "../options/shared_options.ts";

export const DEMO = {
  serve: toggle("only serve the target, until interrupted"),
  stress: toggle("break the target in three ways and say why", {
    conflicts: ["serve"],
  }),
  slower: share("with --serve: HTTP responses take longer by this share"),
  port: whole("number", [0, 65_535], "port of the target with --serve", {
    fallback: "7800",
  }),
  ...STORE,
};
export type DemoFlags = FlagsOf<typeof DEMO>;
