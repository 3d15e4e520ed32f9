import { createHash } from "node:crypto";
import type { Flow } from "../../language/ir.ts";
import { protocols } from "../../steps/registry.ts";
import { below, type Report } from "../../base/text/diagnostic.ts";
import type { BlockDiagnostic } from "../../language/flow/kind.ts";
import type { FlowFiles } from "./prepared_run.ts";

/** Lets every protocol check the documents that its blocks hold. */
export async function checkBlockDocuments(
  flow: Flow,
  report: Report,
): Promise<void> {
  for (const [index, { kind, block }] of flow.steps.entries()) {
    const found = await protocols.get(kind)?.checkDocument?.(block) ?? [];
    for (const each of found) {
      report({ ...each, at: below(`/steps/${index}/block`, each.at) });
    }
  }
}

/**
 * Lets every protocol read and compile the files its blocks name.
 *
 * @returns hex SHA-256 of what they hold, in the order they were read in
 */
export async function checkBlockFiles(
  { flow, directory, world, report, diagnostics }: FlowFiles,
): Promise<string> {
  const contents = createHash("sha256");
  const files = {
    directory,
    readBytes(path: string) {
      const bytes = world.readBytes(path);
      contents.update(`${bytes.length}\n`).update(bytes);
      return bytes;
    },
  };
  const take = ({ at, ...rest }: BlockDiagnostic, pointer: string) => {
    if (typeof at === "string" || !("file" in at)) {
      report({ ...rest, at: below(pointer, at) });
      return;
    }
    const { text, ...location } = at;
    diagnostics.addText(location.file, text);
    diagnostics.report({ ...rest, at: location });
  };
  for (const [index, { kind, block }] of flow.steps.entries()) {
    const found = await protocols.get(kind)?.checkFiles?.(block, files) ?? [];
    for (const each of found) take(each, `/steps/${index}/block`);
  }
  return contents.digest("hex");
}
