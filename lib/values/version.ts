/** The version of this program, as in the `User-Agent: bench/<version>` field. */
export const VERSION = "0.1.0";
