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

/** What the documentation says of each. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  held: "every threshold held",
  verdictFailed:
    "the verdict is `fail`: a threshold, a failed row in integration or system mode, or `abort_run`",
  refused:
    "refused before the first request: usage, an error in a file, a missing variable, the allow-list, a ceiling, a store that cannot be written",
  errored:
    "could not finish: the store was lost or full during the run (the summary is printed all the same), or bench itself is at fault",
  sighup: "interrupted by a closed terminal (SIGHUP); results are saved",
  sigint: "interrupted by Ctrl-C (SIGINT); results are saved",
  sigterm: "interrupted by SIGTERM; results are saved",
};
