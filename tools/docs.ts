import { referenceTables } from "./reference/tables.ts";
import { print, readArguments } from "./command.ts";
import { withTables } from "./reference/page.ts";

readArguments({
  task: "docs",
  about: "Writes the tables of docs/ that say what the program has.",
}, {});

const DOCS = new URL("../docs/", import.meta.url);

const tables = referenceTables();
for (const { name } of Deno.readDirSync(DOCS)) {
  if (!name.endsWith(".md")) continue;
  const file = new URL(name, DOCS);
  const before = Deno.readTextFileSync(file);
  const after = withTables(before, tables);
  if (after === before) continue;
  Deno.writeTextFileSync(file, after);
  print(`docs/${name}`);
}
