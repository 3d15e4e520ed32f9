import { BODY, meantPath, RESPONSE } from "./meant_path.ts";

/** Words of other tools and the way out, as a place of `WORDS` has them. */
export type Words = Readonly<Record<string, string>>;

/** Where a word of another tool is written; the blocks of kinds have words of their own. */
export type Place = keyof typeof WORDS | Words;

/** Hints that several places share. */
const NO_CODE =
  "a flow runs no code: values come from `data`, `extract`, {{ env.NAME }} and, with `version: 1`, from `values`";
const NO_LOOP =
  "a flow has no loops: `poll` repeats a request, and `iterations` of the profile repeat the flow";
const NO_CONDITION =
  "a flow has no conditions: its steps run in order, until one fails";
const NO_TEXT = "write it as a YAML comment: `# ...`";
const NO_REDIRECT =
  "redirects are not followed: make the next request a step of its own";
const TLS =
  "how to connect is said to `bench run`: --insecure, --cacert, --cert";
const PROXY = "how to connect is said to `bench run`: --proxy";
const TIMEOUT = "`request_timeout` of the target file bounds every request";
const WAIT = "a pause is a step of its own: `{ id: pause, wait: 1s }`";
const ASSERT = "did you mean `assert`?";
const ONE_PROFILE = "put it into `profile`";
const HOST =
  "the server is in the target file, as `base_urls`: `bench run <flow> --target <file>`";
const WEIGHT =
  "flows have weights, in a mix of them: `flows: [{ flow: browse.bench.yaml, weight: 3 }]`";
const VALUES =
  "values come from {{ env.NAME }}, from the fixture of `data`, from `extract` and, with `version: 1`, from `values`";
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
  flow: {
    "name|title|collection|scenario|suite|test_plan": "did you mean `flow`?",
    "scenarios|requests?|items?|tasks?|tests?|entries|samplers?|journey|actions?":
      "did you mean `steps`?",
    "fixtures?|payload|csv|csv_data|dataset|datasets?|feeders?|users_file":
      "did you mean `data`?",
    "config|options|load|executor|thread_group|load_profile":
      "did you mean `profile`?",
    "mode|vus|users|virtual_users|threads|num_threads|concurrency|duration|hold|iterations|loops?|rate|rps|arrival_rate|arrival_cap|thresholds?|ramp|ramp_up|stages|phases?|warm_up|ensure":
      ONE_PROFILE,
    "authentication|authorization|credentials?|bearer|basic_auth":
      "did you mean `auth`?",
    "cookie_jar|keep_cookies|use_cookies|store_cookies|cookie_manager|clear_cookies":
      "`cookies: iteration` keeps what responses set, in a flow file with `version: 1`",
    "headers?|defaults?|common|cookie":
      "every step has its own `headers`; credentials for all of them are `auth`",
    "vars?|variables?|value|constants?|globals?|env|environments?|params?|secrets?":
      VALUES,
    "base_urls?|hosts?|urls?|targets?|servers?|endpoint|domain": HOST,
    "(?:before|after)(?:_all)?|on_(?:start|stop)":
      "`setup` and `teardown` have steps that are carried out once, before the first and after the last iteration, in a flow file with `version: 1`",
    "weights?|share|flows":
      "flows that share a run are a mix, a file of its own: `mix`, `flows` and `profile`",
    "openapi|swagger":
      "the description of an API is imported: bench import openapi <file>",
    "assert|asserts|assertions|expect|checks?|validate":
      "assertions belong to a step: `assert`",
    "timeouts?|request_timeout": TIMEOUT,
    "insecure|verify|verify_ssl|strict_ssl|tls|ssl|cacert|certificates?": TLS,
    "proxy|proxies": PROXY,
    "think_time|wait_time|(?:min|max)_wait|pause|sleep|delay|pacing": WAIT,
    weight: WEIGHT,
    "max_vus|max_rps|agent_addr|disallowed_modes": "`$0` is in the target file",
    "id|call|graphql|grpc|poll|wait|ws|query|body|extract|throttle|retry|on_failure":
      "`$0` belongs to a step: indent it below its `- id`",
    "follow_redirects?|max_redirects|redirects?": NO_REDIRECT,
    "includes?|imports?|extends|templates?": "a flow is one file",
    "scripts?|processor|plugins?|functions?|before_request|after_response|hooks?|events?|pre_request|prerequest":
      NO_CODE,
    "description|comments?|info|docs?|notes?|author|labels?": NO_TEXT,
  },
  profile: {
    "(?:max_)?duration|time|length|run_time|for": "did you mean `hold`?",
    "users|virtual_users|vu|(?:max_)?vusers|(?:max|pre_allocated)_vus|threads|num_threads|concurrency|connections|clients|workers|(?:constant|ramp|increment)_concurrent_users":
      "did you mean `vus`?",
    "ramp|ramping|ramp_up|ramp_to|ramp_time|ramp_duration|start_vus|spawn_rate":
      "a ramp is `vus: { ramp: 1 -> 50 over 30s, hold: 1m }`",
    "steps|phases|ramps|scenarios|shape|load_shape|inject(?:ion)?|course":
      "load that rises and falls is `stages: [{ vus: 50, over: 30s }, { over: 1m }]`, with `version: 1`",
    "rate|rps|arrivals?|arrival_rate|arrival_count|start_rate|throughput|target_rate|requests_per_second|qps|time_unit|(?:constant|ramp|increment)_users_per_sec|stress_peak_users":
      "`arrival_cap` is the offered rate of requests: `50/s`",
    "max_rps": "`max_rps` is in the target file",
    "loops?|loop_count|repeat|repeats|requests?|count|n|passes|(?:shared|per_vu)_iterations|(?:at_once|ramp)_users":
      "did you mean `iterations`?",
    "gates?|limits?|slos?|slas?|criteria|ensure|checks?|assert|pass_if|fail_if":
      "did you mean `thresholds`?",
    "type|kind|executor|scenario|style": "did you mean `mode`?",
    "think_time|pause|sleep|delay|pacing": WAIT,
    "timeouts?|request_timeout": TIMEOUT,
    "graceful_(?:stop|ramp_down)|stop_timeout":
      "iterations under way have 30 s once the plan is over",
    "start_(?:time|after|delay)|delay_start":
      "load that begins later has a pause first: `stages: [{ vus: 0, over: 10s }, ...]`, with `version: 1`",
    "seed|target|store": "it is an option of `bench run`: --$0",
    "stop_on_breach|abort_on_fail|fail_fast|bail":
      "it is an option of `bench run`: --stop-on-breach",
    "headers?|auth|data|tags": "put it beside `profile`, one level up",
  },
  stage: {
    "duration|time|length|for|hold|ramp_up": "did you mean `over`?",
    "users|virtual_users|vu|target|to|level|threads|concurrency":
      "did you mean `vus`?",
    "rate|rps|arrivals?|arrival_rate|arrival_cap|ramp_to|requests_per_second":
      "did you mean `arrival`?",
    "pause|nothing_for|wait|sleep|delay":
      "a pause is `{ vus: 0, over: 10s }`, of rates `{ arrival: 0/s, over: 10s }`",
  },
  step: {
    "name|title|label": "did you mean `id`?",
    options:
      "options of a request are keys of the step, such as `retry` and `timeout`, or flags of `bench run`; the method is a part of `call: OPTIONS /path`",
    "(?:[\\w.]*\\.)?(?:get|post|put|patch|delete|head|options|request)|urls?|uri|path|method|verb|http|requests|sampler|fetch|navigate|endpoint":
      "method and URL are one text: `call: GET /path`",
    "web_sockets?|sockets?|wss": "did you mean `ws`?",
    "json|json_body|payload|data|raw|request_body|body_json|content":
      "did you mean `body`?",
    "form_data|form_params|urlencoded|x_www_form_urlencoded":
      "a form is `form`, in a flow file with `version: 1`",
    "xml|plain|raw_text|text_body":
      "a text is sent by `text`, in a flow file with `version: 1`",
    "multipart_form_data|files|uploads?|attachments?|body_file|from_file":
      "files go into `multipart` or `file`, in a flow file with `version: 1`",
    "params?|parameters|qs|query_params?|query_string|query_string_params?|search_params?|search":
      "did you mean `query`?",
    "header|request_headers": "did you mean `headers`?",
    "content_type|accept|user_agent":
      "did you mean `headers`? it is one of them",
    "cookies?|cookie_jar":
      "a cookie is a header: `headers: { Cookie: name=value }`; `cookies` of the flow (version 1) keeps what responses set",
    "captures?|save|save_as|store|set|set_variables?|register|export|output|regex|extractors?|extractions?|json_path|variables?|vars?":
      "values are taken with `extract`: `extract: { id: $.id }`",
    "expects?|checks?|asserts|assertions?|tests?|validate|validations?|verify|should|matches|response|response_assertion":
      ASSERT,
    "status|status_code|expected_status|code":
      "it is an assertion: `assert: [status == 200]`",
    "latency|max_latency|response_time|max_response_time|duration":
      "it is an assertion: `assert: [latency < 500ms]`",
    "sleep|pause|think|think_time|delay|timer|constant_timer|pacing": WAIT,
    "timeouts|request_timeout|connect_timeout|max_time": TIMEOUT,
    "retries|max_retries|retry_count|attempts|max_attempts|backoff|on_status|retry_if|retry_on|retry_interval":
      "it belongs into `retry`: `{ on_status: [503], backoff: fixed, max_attempts: 3 }`",
    "basic_auth|authorization|authentication|bearer|token|credentials?|user|username|password|oauth|oauth2|api_key":
      "did you mean `auth`?",
    "on_error|on_fail|continue_on_(?:error|fail|failure)|ignore_errors?|ignore_failures?|allow_failure|optional":
      "did you mean `on_failure`?",
    "if|unless|when|skip_if|only_if|if_true|condition|skip|enabled|disabled|depends_on|needs|requires":
      NO_CONDITION,
    "loops?|repeat|times|for|for_each|while|with_items|iterations|count|parallel":
      NO_LOOP,
    "scripts?|code|js|lua|before|after|before_request|after_response|pre_request|post_response|hooks?|function|eval|run":
      NO_CODE,
    "follow|follow_redirects?|max_redirects|redirects?|location": NO_REDIRECT,
    "insecure|verify_ssl|strict_ssl|tls|ssl|cacert|cert|certificate": TLS,
    "proxy|proxies": PROXY,
    "desc|description|comments?|notes?|docs?|info|tags?|groups?|labels?|log":
      NO_TEXT,
    weight: WEIGHT,
  },
  poll: {
    "every|delay|sleep|wait|pause|frequency|period|poll_interval|backoff":
      "did you mean `interval`?",
    "retries|attempts|max_retries|max_tries|tries|times|count":
      "did you mean `max_attempts`?",
    "while|condition|conditions|when|done|success|stop_when|expect|checks?":
      "did you mean `until`?",
    "max_time|max_wait|deadline|give_up_after": "did you mean `timeout`?",
  },
  retry: {
    "retries|attempts|max_retries|max_tries|tries|times|count|limit":
      "did you mean `max_attempts`?",
    "on|status|statuses|codes|status_codes|retry_on|retry_if|when":
      "did you mean `on_status`?",
    "strategy|policy|type|mode": "did you mean `backoff`?",
    "delay|interval|wait|sleep|min_delay|initial_delay":
      "did you mean `base_delay`?",
    "max_delay|max_backoff|jitter|factor|multiplier":
      "waits are as `backoff` and `base_delay` say",
  },
  extract: {
    "selector|css_selector|query_selector|css_path|element":
      "did you mean `css`?",
    "attr|attribute_name|property": "did you mean `attribute`?",
    "regex|regexp|re|matches?|expression|grep": "did you mean `pattern`?",
    "match_group|capture_group|capture|match_no|groups":
      "did you mean `group`?",
    "default_value|fallback|otherwise|or_else": "did you mean `default`?",
    "source|subject|in|where|json|(?:json_)?path|jmespath|expr":
      "did you mean `from`?",
    "headers?|cookies?|status|body|text":
      "it is a value of `from`: `from: header.Location`, `cookie.sid`, `status`, `body`, or a path",
    "xpath|xml_path|xml": "there is no XPath here: `css` selects in a page",
    "html|dom|page": "a page is looked into with `css`",
  },
  target: {
    "urls?|base_url|hosts?|base|endpoints?|server|servers|domain|address":
      "did you mean `base_urls`?",
    "target|title|label|id": "did you mean `name`?",
    "(?!request)\\w*timeouts?|max_time": "did you mean `request_timeout`?",
    "rps|rate|rate_limit|max_rate": "did you mean `max_rps`?",
    "vus|users|max_users|concurrency": "did you mean `max_vus`?",
    "agent|agent_address|monitor|metrics": "did you mean `agent_addr`?",
    "insecure|verify(?:_ssl)?|strict_ssl|tls|ssl|cacert|cert(?:ificate)?": TLS,
    "proxy|proxies": PROXY,
    "headers?|vars?|variables?|env|environment":
      "a target is hosts and limits: what is sent is in the flow",
    "description|comments?|notes?": NO_TEXT,
  },
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
