/** An option of curl. */
export interface CurlOption {
  readonly long: string;
  readonly takesValue: boolean;
  /** It has a meaning that a flow does not: it is named to the user. */
  readonly named: boolean;
}

const words = (text: string) => text.trim().split(/\s+/);

/** Of the request, or of output and how the program goes on, which says nothing of it. */
const WITH_VALUE = words(
  `alt-svc cacert cert cert-type ciphers connect-timeout connect-to continue-at
   cookie cookie-jar create-file-mode curves data data-ascii data-binary
   data-raw data-urlencode dump-header etag-save expect100-timeout form
   form-string happy-eyeballs-timeout-ms header hsts interface json
   keepalive-time key key-type libcurl limit-rate local-port max-filesize
   max-redirs max-time noproxy oauth2-bearer output output-dir parallel-max
   proto proto-default proto-redir proxy range rate referer request resolve
   retry retry-delay retry-max-time speed-limit speed-time stderr tls-max
   tls13-ciphers trace trace-ascii upload-file url url-query user user-agent
   write-out`,
);
const SWITCHES = words(
  `anyauth append basic compressed create-dirs digest disable fail fail-early
   fail-with-body get globoff head http0.9 http1.0 http1.1 http2
   http2-prior-knowledge http3 http3-only ignore-content-length include
   insecure ipv4 ipv6 junk-session-cookies list-only location
   location-trusted negotiate next no-alpn no-buffer no-clobber no-keepalive
   no-npn no-progress-meter no-sessionid ntlm parallel parallel-immediate
   path-as-is post301 post302 post303 progress-bar raw remote-header-name
   remote-name remote-name-all remote-time remove-on-error retry-all-errors
   retry-connrefused show-error silent ssl ssl-reqd styled-output tcp-fastopen
   tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 trace-time tr-encoding
   use-ascii verbose xattr`,
);
const NAMED_WITH_VALUE = words(
  `abstract-unix-socket aws-sigv4 capath config crlfile dns-interface
   dns-ipv4-addr dns-ipv6-addr dns-servers doh-url etag-compare netrc-file pass
   pinnedpubkey preproxy proxy-cacert proxy-capath proxy-cert proxy-cert-type
   proxy-ciphers proxy-header proxy-key proxy-key-type proxy-pass proxy-user
   proxy1.0 request-target socks4 socks4a socks5 socks5-hostname time-cond
   tlspassword tlsuser unix-socket`,
);
const NAMED = words(
  "netrc netrc-optional ntlm-wb proxytunnel haproxy-protocol proxy-insecure",
);

const SHORT: Readonly<Record<string, string>> = {
  a: "append",
  E: "cert",
  K: "config",
  C: "continue-at",
  b: "cookie",
  c: "cookie-jar",
  d: "data",
  q: "disable",
  D: "dump-header",
  f: "fail",
  F: "form",
  G: "get",
  g: "globoff",
  I: "head",
  H: "header",
  0: "http1.0",
  i: "include",
  k: "insecure",
  4: "ipv4",
  6: "ipv6",
  j: "junk-session-cookies",
  l: "list-only",
  L: "location",
  m: "max-time",
  n: "netrc",
  ":": "next",
  N: "no-buffer",
  o: "output",
  Z: "parallel",
  "#": "progress-bar",
  x: "proxy",
  U: "proxy-user",
  p: "proxytunnel",
  r: "range",
  e: "referer",
  J: "remote-header-name",
  O: "remote-name",
  R: "remote-time",
  X: "request",
  S: "show-error",
  s: "silent",
  Y: "speed-limit",
  y: "speed-time",
  z: "time-cond",
  1: "tlsv1",
  T: "upload-file",
  B: "use-ascii",
  u: "user",
  A: "user-agent",
  v: "verbose",
  w: "write-out",
};

const OPTIONS = new Map<string, CurlOption>(
  ([
    [WITH_VALUE, true, false],
    [SWITCHES, false, false],
    [NAMED_WITH_VALUE, true, true],
    [NAMED, false, true],
  ] as const).flatMap(([names, takesValue, named]) =>
    names.map((long) => [long, { long, takesValue, named }] as const)
  ),
);

/** All long names, to find what was meant. */
export const LONG_NAMES: readonly string[] = [...OPTIONS.keys()];

/** An option by its long name; `--no-silent` is `--silent` undone. */
export function longOption(name: string): CurlOption | undefined {
  const own = OPTIONS.get(name);
  if (own) return own;
  const undone = /^no-(.+)$/.exec(name)?.[1];
  const positive = undone === undefined ? undefined : OPTIONS.get(undone);
  return positive && !positive.takesValue
    ? { long: name, takesValue: false, named: false }
    : undefined;
}

/** An option by its letter. */
export function shortOption(letter: string): CurlOption | undefined {
  const long = Object.hasOwn(SHORT, letter) ? SHORT[letter] : undefined;
  return long === undefined ? undefined : OPTIONS.get(long);
}
