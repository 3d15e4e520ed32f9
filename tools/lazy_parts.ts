/**
 * Parts of Node that few runs of a program need and that take 3 to 8 ms each to
 * load: the command line's library imports them for what it does not do here.
 */
const RARELY_USED = "child_process|fs|zlib";

const IMPORT = new RegExp(
  `import(?:\\s*\\*\\s*as)? ?([\\w$]+) ?from ?"node:(${RARELY_USED})";?`,
  "g",
);

const PART =
  "const $part=name=>{let part;return new Proxy({},{get:(_,key)=>(part??=process.getBuiltinModule(name))[key]})};";

/**
 * The text of a module with these parts loaded when something of them is first
 * used. Only where a module takes the whole of one: what it takes by name it holds.
 */
export function withLazyParts(text: string): string {
  const lazy = text.replaceAll(
    IMPORT,
    (_, local, part) => `const ${local}=$part("node:${part}");`,
  );
  return lazy === text ? text : PART + lazy;
}
