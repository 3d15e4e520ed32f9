/** The operating system's error codes in words. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of the path is a file, not a directory",
  EEXIST: "it exists already",
  ENOENT: "it does not exist",
  EISDIR: "it is a directory, not a file",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "the path goes round in circles of symbolic links",
  EMFILE: "too many files are open",
  EIO: "the device reports an error",
};

/** The runtime gives this one no code. */
const TOO_LARGE = /\(os error 27\)/;

/** Why the system refused to read or write, without its numbers and calls. */
export function osReason(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "this process was started without permission for it";
  }
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code === "string" && Object.hasOwn(REASONS, code)) {
    return REASONS[code]!;
  }
  const message = error instanceof Error ? error.message : String(error);
  return TOO_LARGE.test(message) && Deno.build.os !== "windows"
    ? "it would be longer than a limit allows (`ulimit -f`)"
    : message;
}
