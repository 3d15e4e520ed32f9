import type { Flow } from "../../model/ir/flow.ts";
import { protocols } from "../../steps/registry.ts";
import type { Report } from "../../base/text/report.ts";
import type { Mistakes } from "./mistakes.ts";
import type { World } from "./world.ts";

/** Lets every protocol check the documents that stand in its blocks. */
export async function checkBlockDocuments(
  flow: Flow,
  report: Report,
): Promise<void> {
  for (const [index, { kind, block }] of flow.steps.entries()) {
    const problems = await protocols.get(kind)?.checkDocument?.(block) ?? [];
    for (const problem of problems) {
      const { code, message, hint, inside, severity } = problem;
      const at = `/steps/${index}/block${problem.pointer}`;
      report(at, code, message, hint, inside, severity);
    }
  }
}

/** Lets every protocol read and compile the files its blocks name. */
export async function checkBlockFiles(
  flow: Flow,
  directory: string,
  world: World,
  report: Report,
  mistakes: Mistakes,
): Promise<void> {
  const files = {
    directory,
    readBytes: (path: string) => world.readBytes(path),
  };
  for (const [index, step] of flow.steps.entries()) {
    const check = protocols.get(step.kind)?.checkFiles;
    if (!check) continue;
    for (const problem of await check(step.block, files)) {
      const { code, message, hint, file, inside, severity } = problem;
      if (!file) {
        const at = `/steps/${index}/block${problem.pointer}`;
        report(at, code, message, hint, inside, severity);
        continue;
      }
      const { name, text, line, column } = file;
      mistakes.add([{
        code,
        file: name,
        span: { line, column, length: 1 },
        message,
        ...(severity && { severity }),
        ...(hint !== undefined && { hint }),
      }], new Map([[name, text]]));
    }
  }
}
