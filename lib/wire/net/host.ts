/** Why a host is not usable, as the end of a sentence. */
function refuse(written: string, why: string): SyntaxError {
  return new SyntaxError(`\`${written}\` is not a usable host: ${why}`);
}

/**
 * The one spelling of a host (RFC 3986 section 3.2.2): lower case, IDN as
 * punycode, no trailing dot, IPv4 as four decimal parts, IPv6 compressed and
 * without its brackets.
 *
 * Two spellings that reach the same name give the same text, so the allow-list
 * can compare by equality. An IPv4-mapped IPv6 address stays IPv6: it is its
 * own origin and has to be listed as such.
 *
 * @throws {SyntaxError} when the text is not a host, or hides what it is
 */
export function normalizeHost(written: string): string {
  if (written === "") throw refuse(written, "it is empty");
  if (written.includes("%")) {
    throw refuse(written, "percent escapes in a host are not allowed");
  }
  // Checked here because the platform's parser strips or reinterprets these
  // silently instead of refusing them.
  // deno-lint-ignore no-control-regex
  const bad = /[\x00-\x20\x7f\\/?#@<>^|`{}"]/.exec(written)?.[0];
  if (bad !== undefined) {
    throw refuse(written, `${visible(bad)} is not allowed in a host`);
  }
  const bracketed = written.startsWith("[");
  if (!bracketed && /[:[\]]/.test(written)) {
    const isAddress = /^[\da-f:]*(?:\d+\.){0,3}\d*$/i.test(written);
    throw refuse(
      written,
      isAddress || /[[\]]/.test(written)
        ? "an IPv6 address needs brackets"
        : "it has more than one colon",
    );
  }
  let host: string;
  try {
    host = new URL(`http://${written}/`).hostname;
  } catch {
    throw refuse(written, "it is neither a name nor an address");
  }
  if (bracketed) return host.slice(1, -1);
  if (host.endsWith(".")) host = host.slice(0, -1);
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) {
    throw refuse(written, "it is neither a name nor an address");
  }
  return host;
}

/** Whether a normalised host is an address, which needs no name look-up. */
export function isAddress(host: string): boolean {
  return host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** Host and port as a URL has them. */
export function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  return code > 0x20 && code < 0x7f
    ? `\`${character}\``
    : `the character U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
