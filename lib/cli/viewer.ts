/**
 * The viewer as the command line needs it. `main.ts` hands it in, so that no
 * part of it is loaded before it is asked for.
 */
export interface ViewerParts {
  serve(): Promise<{
    startViewer(options: {
      readonly storeDir: string;
      readonly hostname: string;
      readonly port: number;
    }): Promise<RunningViewer>;
  }>;
  report(): Promise<{
    /** The report as HTML; undefined when the store has no such run. */
    reportOf(storeDir: string, id: string): Promise<string | undefined>;
  }>;
}

/** A viewer that listens. */
export interface RunningViewer {
  readonly url: string;
  /** Whether other machines may reach it. */
  readonly exposed: boolean;
  close(): Promise<void>;
}
