import { main } from "./cli/program.ts";

Deno.exit(
  await main(Deno.args, {
    serve: () => import("./viewer/server.ts"),
    report: () => import("./viewer/report_file.ts"),
  }),
);
