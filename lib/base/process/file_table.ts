import { openLibc } from "./libc.ts";

/** Of `fcntl(2)`: a second descriptor of a file, the first free one from a number on. */
const F_DUPFD_CLOEXEC = 1030;
/** A process begins with room for so many. */
const LEAST = 64;

/**
 * Makes room for so many open files of this process. The system doubles the room when it
 * is used up, and the thread whose connection was one too many waits for that: 14 ms or
 * more, in which its other connections are not read. Here another thread waits.
 *
 * On Linux; where fewer files are allowed, for those. docs/decisions/118-room-for-connections.md
 */
export async function makeRoomForFiles(count: number): Promise<void> {
  if (Deno.build.os !== "linux") return;
  const libc = openLibc({
    fcntl: {
      parameters: ["i32", "i32", "i32"],
      result: "i32",
      nonblocking: true,
    },
    close: { parameters: ["i32"], result: "i32" },
  });
  if (!libc) return;
  const { fcntl, close } = libc.symbols;
  for (let room = count; room > LEAST; room = Math.floor(room / 2)) {
    const last = await fcntl(0, F_DUPFD_CLOEXEC, room - 1);
    if (last < 0) continue;
    close(last);
    break;
  }
  libc.close();
}
