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
  otlp: ".otlp.json",
} as const;
export type ReportFormat = keyof typeof REPORT_FORMATS;
