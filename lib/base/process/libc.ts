import { ifPossible } from "../values/if_possible.ts";

const LIBRARIES: Partial<Record<typeof Deno.build.os, string>> = {
  linux: "libc.so.6",
  darwin: "libSystem.B.dylib",
};

/**
 * Functions of the C library; undefined where there is none of this name, or
 * permissions do not allow it.
 */
export function openLibc<const Functions extends Deno.ForeignLibraryInterface>(
  functions: Functions,
): Deno.DynamicLibrary<Functions> | undefined {
  const library = LIBRARIES[Deno.build.os];
  return library === undefined
    ? undefined
    : ifPossible(() => Deno.dlopen(library, functions), undefined);
}
