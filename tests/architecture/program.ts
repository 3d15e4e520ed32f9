const ROOT = new URL("../../", import.meta.url);

function* files(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(new URL(folder, ROOT))) {
    const path = folder + entry.name;
    if (entry.isDirectory) yield* files(path + "/");
    else if (/\.tsx?$/.test(path)) yield path;
  }
}

/** Every source file of the program, by its path from the root. */
export function sources(): string[] {
  const folders = ["lib/", "cli/", "agent/", "viewer/"];
  return ["main.ts", "mod.ts", ...folders.flatMap((each) => [...files(each)])];
}

/** The text of a source file. */
export function textOf(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

/** Every source file of the tests. */
export function testSources(): string[] {
  return [...files("tests/")];
}

/** Every import of one source file by another: type-only and dynamic ones too. */
export function imports(): [from: string, to: string][] {
  return sources().flatMap((from) => {
    const text = textOf(from);
    const specifiers = [
      ...text.matchAll(
        /^(?:import\s*|(?:import|export)\b[^;"]*\bfrom\s*)"(\.[^"]+\.tsx?)"/gm,
      ),
      ...text.matchAll(/\bimport\(\s*"(\.[^"]+)"/g),
    ];
    return specifiers.map(([, specifier]): [string, string] => [
      from,
      new URL(specifier!, new URL(from, ROOT)).href.slice(ROOT.href.length),
    ]);
  });
}

const NAMED =
  /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*"(\.[^"]+)"/gm;
const LOADED = /\bconst \{([^}]*)\} = await import\(\s*"(\.[^"]+)"/g;
const WHOLE = /(?<!\} = await )\bimport\(\s*"(\.[^"]+)"/g;

/** `path#name` of every export that another source file imports, a tool, or a test. */
export function importedNames(): Set<string> {
  const importers = [...sources(), ...files("tools/"), ...testSources()];
  const names = importers.flatMap((from) => {
    const text = textOf(from);
    const target = (specifier: string) =>
      new URL(specifier, new URL(from, ROOT)).href.slice(ROOT.href.length);
    return [
      ...[...text.matchAll(NAMED), ...text.matchAll(LOADED)].flatMap((
        [, list, specifier],
      ) =>
        list!.split(",").map((each) =>
          `${target(specifier!)}#${/(?:type\s+)?(\w*)/.exec(each.trim())![1]}`
        )
      ),
      ...[...text.matchAll(WHOLE)].flatMap(([, specifier]) => {
        const path = target(specifier!);
        return exportedNames(path).map((name) => `${path}#${name}`);
      }),
    ];
  });
  return new Set(names);
}

/** The names a source file declares and exports. */
export function exportedNames(path: string): string[] {
  const declared =
    /^export (?:async |abstract )*(?:function\*?|class|const|let|interface|type) (\w+)/gm;
  return [...textOf(path).matchAll(declared)].map(([, name]) => name!);
}
