import { ifPossible } from "../values/if_possible.ts";
import { openLibc } from "./libc.ts";

const MAPPINGS = "/proc/self/smaps";
/** Of `madvise(2)`. */
const MADV_DONTNEED = 4;

/** A part of memory that is a file and cannot be written to: from, and up to. */
const HEAD = /^([0-9a-f]+)-([0-9a-f]+) r-\S+ \S+ \S+ \S+ +\//;
/** Nothing of it was written to, so that the file says the same. */
const CLEAN = /^Anonymous:\s+0 kB$/m;

/**
 * Lets go of the pages that the start has read of files that are mapped, the program's own
 * first of all: a third of the memory of a small run. Those that are used again are mapped
 * again, from the system's cache of files. On Linux; where it is not allowed nothing
 * changes. docs/decisions/108-pages-of-the-program.md
 */
export function releaseProgramPages(): void {
  if (Deno.build.os !== "linux") return;
  const libc = openLibc({
    madvise: { parameters: ["u64", "usize", "i32"], result: "i32" },
  });
  if (!libc) return;
  const mappings = ifPossible(() => Deno.readTextFileSync(MAPPINGS), "");
  for (const { from, to } of cleanParts(mappings)) {
    libc.symbols.madvise(from, to - from, MADV_DONTNEED);
  }
  libc.close();
}

/** The parts of memory that are files, only read or carried out. */
function cleanParts(mappings: string): { from: bigint; to: bigint }[] {
  return mappings.split(/^(?=[0-9a-f]+-)/m).flatMap((mapping) => {
    const [, from, to] = HEAD.exec(mapping) ?? [];
    if (!from || !CLEAN.test(mapping)) return [];
    return [{ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`) }];
  });
}
