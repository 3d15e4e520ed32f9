/** The version of this program, as in the `User-Agent: bench/<version>` field. */
export const VERSION = "0.1.0";

/**
 * How the program was built. `deno task compile` puts its own words in place of
 * these, in the bundle, with the commit first.
 */
export const BUILD = "from source";
