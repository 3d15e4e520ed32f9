import { basename, join } from "node:path";
import { BUILD } from "../lib/base/values/build.ts";
import { run } from "./command.ts";
import type { ProgramPlan } from "./programs.ts";

/**
 * Bundles a program into a folder that needs no package, no cache and no
 * network: its modules, its workers, and the folders it reads.
 *
 * @param build the words `--version` shows
 * @param folder emptied first
 * @param time the time every file gets, so that a commit builds to the same bytes
 * @returns the path of the module to run
 * @throws {Error} when the bundler fails, or a text to be replaced is not there
 */
export async function bundle(
  program: ProgramPlan,
  build: string,
  folder: string,
  time: Date,
): Promise<string> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const { success, stderr } = await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--minify",
    "--code-splitting",
    "--outdir",
    folder,
    ...program.entries,
  ]);
  if (!success) {
    throw new Error(
      `Cannot bundle ${program.name}: ${stderr}`,
    );
  }
  await rewrite(folder, {
    ...workersOf(program),
    ...program.moved,
    [JSON.stringify(BUILD)]: JSON.stringify(build),
  });
  for (const each of program.folders) {
    await copy(each, join(folder, each));
  }
  await stamp(folder, time);
  return join(folder, basename(program.entries[0]!).replace(/\.ts$/, ".js"));
}

/**
 * How modules name the workers beside them, and where these are in the bundle: it
 * flattens modules into one folder, so a URL that is relative to one has to follow.
 */
function workersOf({ entries }: ProgramPlan): Record<string, string> {
  return Object.fromEntries(
    entries.slice(1).map((path) => [
      `"./${basename(path)}"`,
      `"./${path.replace(/\.ts$/, ".js")}"`,
    ]),
  );
}

/**
 * The function by which packages written for CommonJS load parts of Node. The bundler
 * makes it of `node:module`, which takes 15 ms to load, in what every module imports.
 *
 * `process` takes 6 ms. The YAML parser asks its variables at each token whether to
 * say what it does; it finds that there are none.
 */
const REQUIRE = `name=>{
const part=name.replace("node:","");
if(part==="buffer")return{Buffer};
if(part==="process")return new Proxy({env:{}},{get:(own,key)=>own[key]??process[key]});
const found=process.getBuiltinModule(name);
if(found)return found;
throw new Error("Cannot find module "+name);
}`;

const BUNDLERS_REQUIRE =
  /import\s*\{\s*createRequire as ([\w$]+)\s*\}\s*from\s*"node:module";\s*var ([\w$]+)\s*=\s*\1\(import\.meta\.url\);/;

/** Replaces each text; one that is not found means that the code has moved on. */
async function rewrite(
  folder: string,
  moved: Readonly<Record<string, string>>,
): Promise<void> {
  const missing = new Set(Object.keys(moved));
  for (const entry of [...Deno.readDirSync(folder)]) {
    if (!entry.isFile) continue;
    const path = join(folder, entry.name);
    const before = await Deno.readTextFile(path);
    let text = before;
    for (const [from, to] of Object.entries(moved)) {
      if (!text.includes(from)) continue;
      missing.delete(from);
      text = text.replaceAll(from, to);
    }
    if (entry.name.endsWith(".js")) text = withLazyParts(text);
    text = text.replace(
      BUNDLERS_REQUIRE,
      (_, _made, local) => `var ${local}=${REQUIRE};`,
    );
    if (text !== before) await Deno.writeTextFile(path, text);
  }
  if (missing.size > 0) {
    throw new Error(
      `Cannot finish the bundle: it does not say ${[...missing].join(", ")}`,
    );
  }
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    const [source, copied] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory) {
      if (entry.name !== "__pycache__") await copy(source, copied);
    } else await Deno.copyFile(source, copied);
  }
}

async function stamp(folder: string, time: Date): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) await stamp(path, time);
    await Deno.utime(path, time, time);
  }
}

/**
 * Parts of Node that not every run of a program needs and that take 2 to 8 ms each
 * to load: some the command line's library imports for what it does not do here.
 */
const RARELY_USED =
  "child_process|crypto|dns/promises|fs|net|path|process|zlib";

const IMPORT = new RegExp(
  `import(?:\\s*\\*\\s*as)? ?([\\w$]+) ?from ?"node:(${RARELY_USED})";?`,
  "g",
);

// `getBuiltinModule` loads more than `process`, which is there without it.
const PART =
  'const $part=name=>{let part;return new Proxy({},{get:(_,key)=>(part??=name==="node:process"?process:process.getBuiltinModule(name))[key]})},$crypto=$part("node:crypto"),$url=$part("node:url"),$util=$part("node:util"),$v8=$part("node:v8");';

/** Functions and classes taken by name from parts of which nothing else is used. */
const NAMES = /import ?\{([^}]*)\} ?from ?"node:(crypto|url|util|v8)";?/g;

/**
 * The text of a module with these parts loaded when something of them is first
 * used. Where a module takes the whole of one; what it takes by name it holds, unless
 * the part has only what can be called.
 */
export function withLazyParts(text: string): string {
  const lazy = text.replaceAll(
    IMPORT,
    (_, local, part) => `const ${local}=$part("node:${part}");`,
  ).replaceAll(
    NAMES,
    (_, names: string, part: string) =>
      names.split(",").map((name) => callOf(part, name)).join(""),
  );
  return lazy === text ? text : PART + lazy;
}

/** @param name `createHash as at` */
function callOf(part: string, name: string): string {
  const [taken, local = taken] = name.trim().split(" as ");
  return `const ${local}=function(...a){const f=$${part}.${taken};return new.target?new f(...a):f(...a)};`;
}
