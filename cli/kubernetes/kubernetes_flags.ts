import type { Command } from "commander";
import type { Console } from "../terminal/console.ts";
import { withTarget } from "../options/shared_options.ts";
import { wholeNumber } from "../options/whole_number.ts";
import { VERSION } from "../../lib/base/values/version.ts";

type Start = (body: (console: Console) => Promise<number>) => Promise<void>;

/** Adds `kubernetes`. */
export function addKubernetes(program: Command, start: Start): void {
  withTarget(
    program.command("kubernetes <flow>").description(
      "print manifests for a run of several pods",
    ),
  )
    .option("--shards <n>", "how many pods", wholeNumber(1, 9_999), 2)
    .option("--image <image>", "container image", `bench:${VERSION}`)
    .option("--name <name>", "of the objects (default: the flow's)")
    .option("--namespace <name>", "of the objects (default: kubectl's)")
    .option(
      "--secret <name>",
      "the Secret with the variables the flow names (default: the name of the objects)",
    )
    .option(
      "--claim <name>",
      "a PersistentVolumeClaim that keeps the run directory",
    )
    .option(
      "--seed <integer>",
      "seed of everything random",
      wholeNumber(0, 0xffffffff),
      1,
    )
    .option("--cpu <amount>", "CPU of a pod", "1")
    .option("--memory <amount>", "memory of a pod", "1Gi")
    .action((flow: string, options) =>
      start(async (console) => {
        const { kubernetesCommand } = await import("./kubernetes_command.ts");
        return kubernetesCommand(flow, options, console);
      })
    );
}
