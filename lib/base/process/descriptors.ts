/** The descriptors of a thread: its event loop, its wake-ups, the sources that it reads. */
const OF_A_THREAD = 10;

/**
 * Makes sure that so many threads can have their descriptors (`ulimit -n`): where one
 * cannot, the runtime ends the process with a message about itself.
 *
 * @throws what the system says
 */
export function checkDescriptors(threads: number): void {
  if (Deno.build.os === "windows") return;
  const held: Deno.FsFile[] = [];
  try {
    while (held.length < threads * OF_A_THREAD) {
      held.push(Deno.openSync("/dev/null"));
    }
  } finally {
    for (const each of held) each.close();
  }
}
