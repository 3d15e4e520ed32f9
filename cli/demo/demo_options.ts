import { type FlagsOf, percentage, text, toggle } from "../options/option.ts";
import { STORE } from "../options/shared_options.ts";

export const DEMO = {
  serve: toggle("only serve the target, until interrupted"),
  stress: toggle("break the target in three ways and say why", {
    more:
      "with a metrics agent attached, one for each cause of a [knee](understanding-results.md#the-knee); exits with 0 when each run found its own",
    conflicts: ["serve"],
  }),
  slower: percentage(
    "percent",
    "with --serve: HTTP responses take longer by this share",
    { needs: "serve" },
  ),
  addr: text("host:port", "with --serve: where (default 127.0.0.1:7800)", {
    more:
      "gRPC is one port above; an address that other machines can reach is refused",
    needs: "serve",
  }),
  ...STORE,
};
export type DemoFlags = FlagsOf<typeof DEMO>;
