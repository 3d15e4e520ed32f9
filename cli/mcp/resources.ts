import { fileURLToPath } from "node:url";
import { join, relativePath } from "../../lib/base/values/paths.ts";
import flowPage from "../../docs/flow-file.md" with { type: "text" };
import targetPage from "../../docs/target-file.md" with { type: "text" };
import {
  flowFileSchema,
  targetSchema,
} from "../../lib/language/editor/file_language.ts";
import { registry } from "../../lib/steps/registry.ts";

/** A text that a client may read. */
interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  readonly read: () => string;
}

/** A packed program has them as well. */
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  yaml: "application/yaml",
  csv: "text/csv",
  proto: "text/plain",
};

/** The reference, the schemas and the examples, by their URIs. */
export function resources(): ReadonlyMap<string, Resource> {
  const all = [
    page("flow-file", "every key of a flow file", flowPage),
    page("target-file", "every key of a target file", targetPage),
    schema("flow", () => flowFileSchema(registry)),
    schema("target", targetSchema),
    ...examplesIn(EXAMPLES),
  ];
  return new Map(all.map((each) => [each.uri, each]));
}

function page(name: string, description: string, text: string): Resource {
  return {
    uri: `bench://docs/${name}.md`,
    name: `${name}.md`,
    description,
    mimeType: "text/markdown",
    read: () => text,
  };
}

function schema(of: string, make: () => object): Resource {
  return {
    uri: `bench://schema/${of}.json`,
    name: `${of}.schema.json`,
    description: `the JSON Schema of ${of} files`,
    mimeType: "application/schema+json",
    read: () => JSON.stringify(make()),
  };
}

function examplesIn(folder: string): Resource[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return examplesIn(path);
    const mimeType = TYPES[name.split(".").at(-1)!];
    if (mimeType === undefined) return [];
    const shown = relativePath(EXAMPLES, path).replaceAll("\\", "/");
    return [{
      uri: `bench://examples/${shown}`,
      name: shown,
      description: "an example",
      mimeType,
      read: () => Deno.readTextFileSync(path),
    }];
  }).sort((a, b) => a.uri < b.uri ? -1 : 1);
}
