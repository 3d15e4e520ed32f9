import { join, resolve } from "node:path";

const UNIT = resolve("tests/unit");

/** Modules to give to `deno test`; they are gone when the scope ends. */
export interface RoomModules extends Disposable {
  /** Those with the most tests first. */
  readonly paths: readonly string[];
}

/**
 * A module for each room of `tests/unit` that imports the room's tests. Each
 * module that is tested gets an isolate, into which the program is loaded:
 * that takes twice as long as what most files test.
 */
export function roomModules(): RoomModules {
  const folder = Deno.makeTempDirSync({ prefix: "bench-rooms-" });
  const rooms = [...Deno.readDirSync(UNIT)].map(({ name }) => {
    const tests = [...testsBelow(join(UNIT, name))].sort();
    const path = join(folder, `${name}_room.ts`);
    const lines = tests.map((test) => `import "file://${test}";\n`);
    Deno.writeTextFileSync(path, lines.join(""));
    return { path, count: tests.length };
  });
  return {
    paths: rooms.sort((a, b) => b.count - a.count).map(({ path }) => path),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

function* testsBelow(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* testsBelow(path);
    else if (/_test\.tsx?$/.test(name)) yield path;
  }
}
