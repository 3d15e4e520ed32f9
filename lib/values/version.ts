/** The version of this program, as in the `User-Agent: bench/<version>` field. */
export const VERSION = "0.1.0";

/**
 * Which commit this is and how it was built. `deno task compile` puts its own
 * words in place of these, in the bundle; nothing is asked at run time.
 */
export const BUILD = "from source";
