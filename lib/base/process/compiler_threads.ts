const NICE = 10;
const TASKS = "/proc/self/task";

/**
 * Lets event loops go before the compiler's threads where they have to share a core: of
 * Linux, on which each thread has a priority of its own. It cannot be taken back. Where
 * it is not allowed nothing changes. docs/decisions/089-turbofan-later.md
 */
export async function lowerCompilers(): Promise<void> {
  if (Deno.build.os !== "linux") return;
  try {
    const { setPriority } = await import("node:os");
    for await (const { name } of Deno.readDir(TASKS)) {
      const comm = await Deno.readTextFile(`${TASKS}/${name}/comm`);
      if (comm.startsWith("V8 ")) setPriority(Number(name), NICE);
    }
  } catch {
    // A thread has ended meanwhile, or permissions do not allow it: it was to be faster.
  }
}
