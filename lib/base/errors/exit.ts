/** Every exit code there is, and what it says. */
export const EXIT = {
  held: 0,
  verdictFailed: 1,
  refused: 2,
  errored: 3,
  sighup: 129,
  sigint: 130,
  sigterm: 143,
} as const;
