const NICE = 10;
const TASKS = "/proc/self/task";

/**
 * Lets event loops go before the compiler's threads where they have to share a core: of
 * Linux, on which each thread has a priority of its own. It cannot be taken back. Where
 * it is not allowed nothing changes. docs/decisions/089-turbofan-later.md
 */
export async function lowerCompilers(): Promise<void> {
  if (Deno.build.os !== "linux") return;
  const { setPriority } = await import("node:os");
  const threads = await Array.fromAsync(Deno.readDir(TASKS)).catch(() => []);
  for (const { name } of threads) {
    try {
      const comm = await Deno.readTextFile(`${TASKS}/${name}/comm`);
      if (comm.startsWith("V8 ")) setPriority(Number(name), NICE);
    } catch {
      // The thread has ended meanwhile, or permissions do not allow it.
    }
  }
}
