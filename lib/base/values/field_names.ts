/** A token: RFC 9110 section 5.6.2. Field and cookie names are tokens. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Fields that frame a message or belong to the connection, in lower case (RFC
 * 9110 sections 7.6.1 and 8.6, RFC 9112 section 6): the engine alone writes
 * them.
 */
export const FRAMING_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
