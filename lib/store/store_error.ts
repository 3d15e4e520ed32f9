/** The run store cannot be written or read. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  constructor(message: string, readonly hint?: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** What the operating system's codes mean to a person. */
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

/**
 * `error` from the file system as a StoreError.
 *
 * @param doing what failed, such as "Cannot write `x/meta.json`"
 */
export function storeError(
  doing: string,
  error: unknown,
  hint?: string,
): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`${doing}: ${reasonOf(error)}`, hint, error);
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotCapable) {
    return "this process was started without permission for it";
  }
  const code = (error as { readonly code?: unknown } | null)?.code;
  if (typeof code === "string" && Object.hasOwn(REASONS, code)) {
    return REASONS[code]!;
  }
  return error instanceof Error ? error.message : String(error);
}
