import { KEY_WORDS, NO_LOOP } from "./key_words.ts";
import { BODY, meantPath, RESPONSE } from "./meant_path.ts";

/** Words of other tools and the way out, as a place of `WORDS` has them. */
export type Words = Readonly<Record<string, string>>;

/** Where a word of another tool is written; the blocks of kinds have words of their own. */
export type Place = keyof typeof WORDS | Words;

const NO_GENERATOR =
  "templates generate no values: put them into the fixture of `data`, as a column";

/** The way out where a value is drawn, in a flow file with `version: 1`. */
function drawnBy(value: string): string {
  return `such a value is drawn under \`values\`, in a flow file with \`version: 1\`: \`values: { ${value} }\``;
}

/**
 * Words of users of k6, hurl, Postman, Artillery and JMeter, by place: the
 * word, in any letter case and with `_`, `-` or nothing where `_` is, and the
 * way out. `$1` is a part of the word.
 */
const WORDS = {
  ...KEY_WORDS,
  subject: {
    "status|latency": "did you mean `$0`?",
    "status_code|code|http_status|http_code|response_code|status_text|http":
      "did you mean `status`?",
    "time|duration|response_time|elapsed|timings?\\.duration|total_time|time_total|rtt|latency_ms|http_req_duration":
      "did you mean `latency`?",
    "headers?[.['\"]+([^\\s.'\"]+)['\"\\]]*": "did you mean `header.$1`?",
    "headers?":
      "a header is `header.<Name>`: `header.Content-Type contains json`",
    "content_type": "did you mean `header.Content-Type`?",
    "etag|location": "did you mean `header.$0`?",
    "set_cookie": "did you mean `header.Set-Cookie`?",
    "cookies?\\.([^\\s.]+)":
      "a cookie is `cookie.$1`, in a flow file with `version: 1`",
    "cookies?": "a cookie is `cookie.<name>`, in a flow file with `version: 1`",
    "body|text|content|json":
      "did you mean `$$`? it is the whole body, as JSON where it is some; its text is `body`, in a flow file with `version: 1`",
    "(?:json_path|jmespath|jq).*|json\\([\"'$].*":
      "a JSON path is the subject: `$$.id == 5`",
    "(?:xpath|regex|css|html|xml)(?:\\(.*)?":
      "the body is read as JSON, or as text: `$$ contains ...`, `$$ matches ...`; `extract` takes a part of a page: `{ css: ... }`, in a flow file with `version: 1`",
    "(?:len|count|size)\\((\\$.*)\\)": "did you mean `length($1)`?",
    "(?:length|len|count|size)\\((?!\\$).*\\)":
      "`length` takes a JSON path into the response: `length($$.items)`",
    "size|bytes|content_length|body_size|length":
      "did you mean `header.Content-Length`?",
    "error_rate|throttle_rate|p\\d+|avg|min|max":
      "it belongs into `thresholds` of the profile",
    "not|no":
      "write it behind the subject: `$$.error not_exists`, `$$.name != Ada`",
    "(?:pm\\.)?(?:expect|test|assert|check)\\b.*|(?:.*\\.)?to\\.(?:be|have|equal|eql?|include)\\b.*":
      "an assertion is `<subject> <operator> <value>`: `status == 200`",
  },
  operator: {
    "is|equals?|eq|equal_to|to_be|be|same_as|={1,3}|:": "did you mean `==`?",
    "ne|neq|not_equals?|not_equal_to|is_not|isnt|<>|not|!==?":
      "did you mean `!=`?",
    "gt|greater_than|above|over": "did you mean `>`?",
    "gte|ge|at_least|=>": "did you mean `>=`?",
    "lt|less_than|below|under": "did you mean `<`?",
    "lte|le|at_most|=<": "did you mean `<=`?",
    "includes?|has|have|contain|has_property|has_key|has_header":
      "did you mean `contains`?",
    "match|regex|like|=~|~=?|matches_regexp?|test": "did you mean `matches`?",
    "starts_with|begins_with|prefix": "did you mean `starts_with`?",
    "ends_with|suffix": "did you mean `ends_with`?",
    "in|one_of|any_of|is_one_of": "did you mean `in`?",
    "not_in|none_of|nin|is_not_in":
      "write an item with `!=` for each value of the list",
    "between|within|range": "write a range as two items: `>=` and `<=`",
    "not_contains?|not_includes?|does_not_contain":
      "did you mean `not_contains`?",
    "exist|defined|is_defined|present|is_present|not_null|is_not_null":
      "did you mean `exists`?",
    "not_exist|does_not_exist|missing|absent|undefined|is_undefined|is_null|not_defined":
      "did you mean `not_exists`?",
    "is_empty|empty": 'compare with what is empty: `== ""`, `== []` or `== {}`',
    "is_(?:string|number|integer|float|boolean|collection|list|array|object|date|iso_date|uuid)":
      "types are not asserted: compare with a value, or `matches` a pattern",
    "count|length|size|has_length":
      "the size is a subject, in a flow file with `version: 1`: `length($$.items) == 3`",
  },
  wait: {
    "random|uniform|range|min|from|jitter|interval|duration|for|time|ms|seconds":
      "did you mean `between`?",
  },
  value: {
    "guid|uuid_?v?4|uuid4": "did you mean `uuid`?",
    "uuid_?v?7|uuid7": "did you mean { uuid: 7 }?",
    "counter|sequence|seq|increment|auto_increment|iteration|iter|index|serial":
      "1, 2, 3 and so on is `<name>: counter`",
    "integer|random_int|number|range|between|random|min|max":
      "did you mean `int`?",
    "float|double|real|random_float": "did you mean `decimal`?",
    "one_of|pick|enum|values|sample|from|any_of|options|of|choices|select|list|random_choice":
      "did you mean `choice`?",
    "weight|probabilities|p|shares": "did you mean `weights`?",
    "random_string|string|chars|bytes|alpha_numeric|random|length":
      "did you mean `hex`?",
    "date|time|datetime|timestamp|date_time|today|epoch|unix|rfc3339|iso|clock":
      "did you mean `now`?",
    "plus|add|shift|delta|in|after": "did you mean `offset`?",
    "template|format|concat|value|join|const|constant|literal":
      "did you mean `text`?",
    "faker|name|first_name|email|phone|city":
      "such values come from a fixture: `data`",
  },
  template: {
    "\\$?(?:__)?(?:guid|(?:new_|random_)?uuid(?:_?v?4)?)(?:[.( ].*)?": drawnBy(
      "id: uuid",
    ),
    "\\$?(?:__)?(?:random|random_(?:int|integer|number|num|long|between)|rand|rand_int)(?:[.( ].*)?":
      drawnBy("number: { int: 1..1000 }"),
    "\\$?(?:__)?random_(?:float|double|decimal|price)(?:[.( ].*)?": drawnBy(
      "price: { decimal: 0.50..99.99 }",
    ),
    "\\$?(?:__)?random_(?:string|str|hex|alpha_?numeric|bytes|hexadecimal)(?:[.( ].*)?":
      drawnBy("code: { hex: 16 }"),
    "\\$?(?:__)?(?:pick|pick_random|one_of|random_(?:choice|element|item|array_element|color|boolean|bool))(?:[.( ].*)?":
      drawnBy("colour: { choice: [red, green] }"),
    "\\$?(?:__)?(?:date|today|current_date)(?:[.( ].*)?": drawnBy(
      "today: { now: date }",
    ),
    "\\$?(?:__)?(?:new_date|iso_timestamp|iso_date|now|utc_now|datetime)(?:[.( ].*)?":
      drawnBy("moment: { now: rfc3339 }"),
    "\\$?(?:__)?(?:timestamp|epoch|unix(?:_?time)?|time)(?:[.( ].*)?": drawnBy(
      "moment: { now: unix }",
    ),
    "\\$loop_\\w+": NO_LOOP,
    "\\$?(?:faker|chance|base64|md5|sha\\w*|random_\\w+)(?:[.( ].*)?":
      NO_GENERATOR,
    "\\$?(?:__iter|iteration|iter|counter|__counter|increment|sequence|loop_index|iteration_in_test|(?:exec|scenario)\\..*iteration\\w*)(?:[.( ].*)?":
      drawnBy("number: counter"),
    "\\$?(?:__vu|vu\\.\\w+|exec\\..*|vu|__thread_num|scenario\\..*)":
      "templates do not know the VU: what differs comes from the fixture of `data`, or from `values` with `version: 1`",
    "\\$?(?:__env|process_env|process\\.env|process_environment|dotenv|environment|environ|os\\.environ|\\$env|env)[. :]+(\\w+)":
      "did you mean {{ env.$1 }}?",
    "\\$?(?:vars?|variables?|globals?|context(?:\\.vars)?|state|captures?|collection_variables)\\.(\\w+)":
      "did you mean {{ $1 }}?",
    "\\$?(?:data|rows?|csv|users|item|fixture|payload|record|feeder)\\.(\\w+)":
      "did you mean {{ user.$1 }}?",
    "\\$?(?:response|res|body|steps?|requests?|prev)\\..*":
      "take it from the response with `extract` in that step, and name it",
  },
  threshold: {
    "mean|average": "did you mean `avg(latency)`?",
    "med|median": "did you mean `p50(latency)`?",
    "latency|http_req_duration|response_time|duration":
      "did you mean `p95(latency)`?",
    "(?:std_(?:dev|ev)?|standard_deviation|var(?:iance)?)(?:\\(.*\\))?":
      "the spread is in no threshold: limit a high percentile, such as `p99(latency)`",
    "http_req_failed|errors?|failures?|failed|fail_rate|failure_rate|rate|max_error_rate|failed_requests(?:\\..*)?|http\\.codes\\..*":
      "did you mean `error_rate`?",
    "checks?|(?:success|pass)(?:es|ed|_rate)?|successful_requests.*":
      "a failed assertion fails its request: did you mean `error_rate`?",
    "data_received|data|bytes|bandwidth|bytes_per_sec|bytes_received":
      "did you mean `bytes_per_second`?",
    "count|rps|throughput|http_reqs|requests(?:_per_sec(?:ond)?)?|iterations|dropped_iterations":
      "throughput is no threshold: `bench capacity` finds it, `arrival_cap` offers it",
    "(?:.*\\()?(?:ttfb|connect|tls|transfer|http_req_(?:blocked|connecting|tls_handshaking|sending|waiting|receiving))\\)?":
      "phases are in no threshold: `steps[].phases` of meta.json has them, `bench run --verbose` shows them",
  },
} satisfies Record<string, Words>;

interface Row {
  readonly pattern: RegExp;
  readonly hint: string;
}

const compiled = new WeakMap<Words, readonly Row[]>();

function rowsOf(place: Place): readonly Row[] {
  const words = typeof place === "string" ? WORDS[place] : place;
  let rows = compiled.get(words);
  if (!rows) {
    rows = Object.entries(words).map(([words, hint]) => ({
      pattern: new RegExp(`^(?:${words.replaceAll("_", "[_-]?")})$`, "i"),
      hint,
    }));
    compiled.set(words, rows);
  }
  return rows;
}

/**
 * The way out for a word of another tool; undefined for any other word.
 *
 * @param place where it is written
 */
export function elsewhere(place: Place, word: string): string | undefined {
  const bare = place === "subject" ? word.replace(RESPONSE, "") : word;
  for (const { pattern, hint } of rowsOf(place)) {
    const match = pattern.exec(bare);
    if (!match) continue;
    const way = hint.replaceAll(
      /\$([$\d])/g,
      (_, part) => part === "$" ? part : match[part] ?? "",
    );
    return offeredBy(way) === word ? undefined : way;
  }
  return place === "subject" && BODY.test(bare)
    ? `did you mean \`${meantPath(word)}\`?`
    : undefined;
}

/** The word that such a hint offers in place of the other. */
export function offeredBy(hint: string | undefined): string | undefined {
  return /^did you mean `([^`]+)`\?/.exec(hint ?? "")?.[1];
}
