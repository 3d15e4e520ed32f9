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
    reportOf(request: ReportRequest): Promise<ReportText>;
  }>;
}

/** A viewer that listens. */
export interface RunningViewer {
  readonly url: string;
  /** Whether other machines may reach it. */
  readonly exposed: boolean;
  close(): Promise<void>;
}

/** The forms a stored run can be had in, and how files of them end. */
export const REPORT_FORMATS = {
  html: ".html",
  json: ".json",
  junit: ".xml",
  md: ".md",
  csv: ".csv",
  har: ".har",
  speedscope: ".speedscope.json",
  "trace-events": ".trace-events.json",
} as const;
export type ReportFormat = keyof typeof REPORT_FORMATS;

/** Which run, and what of it. */
export interface ReportRequest {
  readonly storeDir: string;
  readonly id: string;
  readonly format: ReportFormat;
  /** Off to leave out what was sent and answered. */
  readonly payloads: boolean;
  /** Id of a run of the same store to compare with. */
  readonly baseline?: string;
}

/** The report, made while it is read; or why there is none. */
export type ReportText =
  | { readonly pieces: AsyncIterable<string> }
  | { readonly refusal: string; readonly hint?: string };
