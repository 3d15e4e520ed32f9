import { strictEqual } from "node:assert/strict";
import { metricsHandler } from "../../../agent/metrics.ts";
import { READING } from "../../support/agent_reading.ts";

const TABLE: readonly [rule: string, accept: string | null, form: string][] = [
  ["nothing asked for", null, "json"],
  ["anything", "*/*", "json"],
  ["JSON", "application/json", "json"],
  ["text", "text/plain", "prometheus"],
  ["letter case does not count", "Text/Plain;Version=0.0.4", "prometheus"],
  [
    "what Prometheus 2 sends",
    "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1",
    "prometheus",
  ],
  ["OpenMetrics alone", "application/openmetrics-text", "prometheus"],
  [
    "a browser",
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "json",
  ],
  ["both alike", "text/plain, application/json", "json"],
  ["text preferred", "application/json;q=0.4, text/plain", "prometheus"],
  ["JSON preferred", "text/plain;q=0.4, application/json;q=0.9", "json"],
  ["text ruled out", "text/plain;q=0", "json"],
  ["a weight that is none", "text/plain;q=lots", "json"],
];

const TYPES: Readonly<Record<string, string>> = {
  "application/json": "json",
  "text/plain; version=0.0.4; charset=utf-8": "prometheus",
};

for (const [rule, accept, form] of TABLE) {
  Deno.test(`metricsHandler: ${rule}`, () => {
    const respond = metricsHandler({ os: "linux", read: () => READING });
    const { headers } = respond(
      new Request("http://agent/metrics", {
        headers: accept === null ? {} : { accept },
      }),
    );
    strictEqual(TYPES[headers.get("content-type")!], form);
  });
}
