import { nearest } from "../../../lib/base/text/suggest.ts";
import { hasTemplate, shownText } from "../draft/template_text.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";

/** The options of one transfer, in order, and its URLs. */
export interface CurlTransfer {
  readonly options: readonly GivenOption[];
  readonly urls: readonly string[];
}

/** An option as it was given. */
export interface GivenOption {
  readonly option: CurlOption;
  /** Empty for one that takes none. */
  readonly value: string;
}

/**
 * Reads what follows `curl`; `--next` begins another transfer.
 *
 * @param line of the command, for messages
 * @throws {Refused} for an option that curl does not have, or without its value
 */
export function readArguments(
  words: readonly string[],
  line: number,
): CurlTransfer[] {
  const transfers: { options: GivenOption[]; urls: string[] }[] = [];
  let current = { options: [] as GivenOption[], urls: [] as string[] };
  transfers.push(current);
  let onlyUrls = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (onlyUrls || !word.startsWith("-") || word === "-") {
      current.urls.push(word);
      continue;
    }
    if (word === "--") {
      onlyUrls = true;
      continue;
    }
    for (const each of readWord(word, line)) {
      let { value } = each;
      if (each.option.takesValue && value === undefined) {
        value = words[++at];
        if (value === undefined) {
          throw new Refused(`line ${line}: \`${word}\` needs a value`);
        }
      }
      if (each.option.long === "next") {
        transfers.push(current = { options: [], urls: [] });
      } else if (each.option.long === "url") current.urls.push(value!);
      else current.options.push({ option: each.option, value: value ?? "" });
    }
  }
  return transfers.filter(({ urls }) => urls.length > 0);
}

interface ReadOption {
  readonly option: CurlOption;
  /** Undefined when it is the next word. */
  readonly value: string | undefined;
}

/** `--data=x`, `-XPOST`, `-sSL`: one word may be several options. */
function readWord(word: string, line: number): ReadOption[] {
  if (word.startsWith("--")) {
    const [, name, value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word)!;
    const option = longOption(name!);
    if (!option) {
      const shown = shownText(`--${name}`);
      throw unknown(shown, line, nearest(name!, LONG_NAMES));
    }
    return [{ option, value }];
  }
  const found: ReadOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const option = BY_LETTER.get(word[at]);
    if (!option) {
      const shown = hasTemplate(word) ? shownText(word) : `-${word[at]}`;
      throw unknown(shown, line);
    }
    const rest = word.slice(at + 1);
    if (option.takesValue) {
      found.push({ option, value: rest === "" ? undefined : rest });
      break;
    }
    found.push({ option, value: undefined });
  }
  return found;
}

function unknown(name: string, line: number, meant?: string): Refused {
  return new Refused(
    `line ${line}: curl has no option \`${name}\``,
    meant === undefined ? undefined : `did you mean \`--${meant}\`?`,
  );
}

/** An option of curl. */
interface CurlOption {
  readonly long: string;
  readonly takesValue: boolean;
  /** It has a meaning that a flow does not: it is named to the user. */
  readonly named: boolean;
}

/** Names, with their letter behind a slash. */
const words = (text: string) => text.split(/\s+/);

/** Of the request, or of output and how the program goes on, which says nothing of it. */
const WITH_VALUE = words(
  `alt-svc cacert cert/E cert-type ciphers connect-timeout connect-to
   continue-at/C cookie/b cookie-jar/c create-file-mode curves data/d
   delegation engine
   data-ascii data-binary data-raw data-urlencode dump-header/D etag-save
   expect100-timeout form/F form-string happy-eyeballs-timeout-ms header/H
   hsts interface json ip-tos keepalive-cnt keepalive-time key
   key-type libcurl limit-rate local-port login-options max-filesize max-redirs max-time/m noproxy oauth2-bearer
   output/o output-dir parallel-max proto proto-default proto-redir proxy/x
   range/r rate referer/e request/X resolve retry retry-delay retry-max-time
   service-name sigalgs speed-limit/Y speed-time/y stderr tls-max
   tls13-ciphers trace trace-ascii trace-config vlan-priority
   upload-file/T url url-query user/u user-agent/A write-out/w`,
);
const SWITCHES = words(
  `anyauth append/a basic ca-native cert-status compressed compressed-ssh
   create-dirs digest disable/q disable-eprt disable-epsv
   disallow-username-in-url doh-cert-status doh-insecure fail/f false-start
   fail-early fail-with-body get/G globoff/g head/I http0.9 http1.0/0 http1.1
   http2 http2-prior-knowledge http3 http3-only ignore-content-length
   include/i insecure/k ipv4/4 ipv6/6 junk-session-cookies/j list-only/l
   location/L location-trusted mptcp negotiate next/: no-alpn no-buffer/N no-clobber
   no-keepalive no-npn no-progress-meter no-sessionid ntlm parallel/Z
   parallel-immediate path-as-is post301 post302 post303 progress-bar/# raw
   remote-header-name/J remote-name/O remote-name-all remote-time/R
   remove-on-error retry-all-errors retry-connrefused show-error/S silent/s
   skip-existing ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd
   ssl-revoke-best-effort sslv2/2 sslv3/3 styled-output tcp-fastopen tcp-nodelay tlsv1/1 tlsv1.0 tlsv1.1
   tlsv1.2 tlsv1.3 suppress-connect-headers trace-ids trace-time tr-encoding use-ascii/B verbose/v xattr`,
);
const NAMED_WITH_VALUE = words(
  `abstract-unix-socket aws-sigv4 capath config/K crlfile dns-interface
   dns-ipv4-addr dns-ipv6-addr dns-servers doh-url etag-compare netrc-file
   pass pinnedpubkey preproxy proxy-cacert proxy-capath proxy-cert
   proxy-cert-type proxy-ciphers proxy-header proxy-key proxy-key-type
   proxy-pass proxy-user/U proxy1.0 request-target socks4 socks4a socks5
   socks5-hostname time-cond/z tlsauthtype tlspassword tlsuser unix-socket
   variable`,
);
const NAMED = words(
  `crlf follow form-escape netrc/n netrc-optional ntlm-wb proxytunnel/p haproxy-protocol
   proxy-insecure`,
);

const NAMED_OPTIONS = ([
  [WITH_VALUE, true, false],
  [SWITCHES, false, false],
  [NAMED_WITH_VALUE, true, true],
  [NAMED, false, true],
] as const).flatMap(([names, takesValue, named]) =>
  names.map((each) => {
    const [long = "", letter] = each.split("/");
    return { long, letter, takesValue, named };
  })
);
const OPTIONS = new Map<string, CurlOption>(
  NAMED_OPTIONS.map((each) => [each.long, each]),
);
const BY_LETTER = new Map<string | undefined, CurlOption>(
  NAMED_OPTIONS.map((each) => [each.letter, each]),
);

/** All long names, to find the one that was meant. */
const LONG_NAMES: readonly string[] = [...OPTIONS.keys()];

/** An option by its long name or how alone it begins; `--no-silent` is `--silent` undone. */
function longOption(name: string): CurlOption | undefined {
  const own = OPTIONS.get(name);
  if (own) return own;
  const [first, ...others] = LONG_NAMES.filter((each) => each.startsWith(name));
  if (first !== undefined && others.length === 0) return OPTIONS.get(first);
  const undone = /^no-(.+)$/.exec(name)?.[1];
  const positive = undone === undefined ? undefined : OPTIONS.get(undone);
  return positive && !positive.takesValue
    ? { long: name, takesValue: false, named: false }
    : undefined;
}
