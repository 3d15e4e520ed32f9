/** What is called of the C library. */
const SYMBOLS = {
  socket: { parameters: ["i32", "i32", "i32"], result: "i32" },
  connect: { parameters: ["i32", "buffer", "u32"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  setsockopt: {
    parameters: ["i32", "i32", "i32", "buffer", "u32"],
    result: "i32",
  },
  getsockopt: {
    parameters: ["i32", "i32", "i32", "buffer", "buffer"],
    result: "i32",
  },
  inet_pton: { parameters: ["i32", "buffer", "buffer"], result: "i32" },
  epoll_create1: { parameters: ["i32"], result: "i32" },
  epoll_ctl: { parameters: ["i32", "i32", "i32", "buffer"], result: "i32" },
  epoll_wait: { parameters: ["i32", "buffer", "i32", "i32"], result: "i32" },
  send: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  recv: { parameters: ["i32", "buffer", "usize", "i32"], result: "isize" },
  timerfd_create: { parameters: ["i32", "i32"], result: "i32" },
  timerfd_settime: {
    parameters: ["i32", "i32", "buffer", "pointer"],
    result: "i32",
  },
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The C library's calls. */
export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

const NAMES = [
  "libc.so.6",
  `libc.musl-${Deno.build.arch}.so.1`,
] as const;

let opened: Libc | undefined | null = null;

/**
 * Opens the C library; undefined off Linux, without the permission to, or where
 * there is none of that name. It stays open for the life of the thread.
 */
export function openLibc(): Libc | undefined {
  return opened === null ? opened = tryOpen() : opened;
}

function tryOpen(): Libc | undefined {
  if (Deno.build.os !== "linux") return undefined;
  for (const name of NAMES) {
    try {
      return Deno.dlopen(name, SYMBOLS).symbols;
    } catch {
      // The next name, or none: there is a portable way.
    }
  }
  return undefined;
}

/** The error of the call just before. */
export function errno(libc: Libc): number {
  const at = libc.__errno_location();
  return at === null ? 0 : new Deno.UnsafePointerView(at).getInt32();
}
