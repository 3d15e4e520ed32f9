import { createHash } from "node:crypto";
import { protocols } from "../../steps/registry.ts";
import { below, type Report } from "../../base/text/diagnostic.ts";
import type { BlockDiagnostic } from "../../language/flow/kind.ts";
import type { FlowFiles, ReadFlow } from "./prepared_run.ts";

/** Lets every protocol check the documents that its blocks hold. */
export async function checkBlockDocuments(
  read: ReadFlow,
  report: Report,
): Promise<void> {
  for (const { protocol, block, pointer } of checkedBlocks(read)) {
    const found = await protocol.checkDocument?.(block) ?? [];
    for (const each of found) {
      report({ ...each, at: below(pointer, each.at) });
    }
  }
}

/** The blocks in which nothing is wrong that a document or a file is checked by. */
function checkedBlocks({ opened, isSound }: ReadFlow) {
  return opened.steps.flatMap(({ kind, block }, index) => {
    const protocol = protocols.get(kind);
    const pointer = `/steps/${index}/block`;
    const keys = protocol?.checkedKeys ?? [];
    return protocol && keys.every((key) => isSound(`${pointer}/${key}`))
      ? [{ protocol, block, pointer }]
      : [];
  });
}

/** Every thread of a run holds the files that its steps name. */
const MOST_BLOCK_BYTES = 64 * 1024 * 1024;

/**
 * Lets every protocol read and compile the files its blocks name.
 *
 * @returns hex SHA-256 of what they hold, in the order they were read in
 */
export async function checkBlockFiles(
  { read, directory, world, report, diagnostics }: FlowFiles,
): Promise<string> {
  const contents = createHash("sha256");
  let left = MOST_BLOCK_BYTES;
  const files = {
    directory,
    readBytes(path: string, most: number) {
      const bytes = world.readBytes(path, Math.min(most, left));
      left -= bytes.length;
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
  for (const { protocol, block, pointer } of checkedBlocks(read)) {
    const found = await protocol.checkFiles?.(block, files) ?? [];
    for (const each of found) take(each, pointer);
  }
  return contents.digest("hex");
}
