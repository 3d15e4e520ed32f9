/** Versions of HTTP, as OpenTelemetry numbers them. */
export const HTTP_VERSIONS = ["1.1", "2"] as const;
export type HttpVersion = (typeof HTTP_VERSIONS)[number];

/** What `--http` takes: a version, or the one the server chooses over TLS. */
export const HTTP_CHOICES = [...HTTP_VERSIONS, "auto"] as const;
export type HttpChoice = (typeof HTTP_CHOICES)[number];
