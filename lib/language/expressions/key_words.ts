/** Hints that several places share. */
const NO_CODE =
  "a flow runs no code: values come from `data`, `extract`, {{ env.NAME }} and, with `version: 1`, from `values`";
export const NO_LOOP =
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
const GZIP =
  "a header of the step asks for it: `headers: { Accept-Encoding: gzip }`; the response is decoded";
export const NO_SOCKET_IO =
  "Socket.IO is not spoken: `ws` sends and receives frames of JSON";
const NOT_STRICT =
  "an extraction that finds nothing fails its step, but for one with a `default`: `{ from: $.id, default: none }`, in a flow file with `version: 1`";
const ASSERT = "did you mean `assert`?";
const ONE_PROFILE = "put it into `profile`";
const HOST =
  "the server is in the target file, as `base_urls`: `bench run <flow> --target <file>`";
const WEIGHT =
  "flows have weights, in a mix of them: `flows: [{ flow: browse.bench.yaml, weight: 3 }]`";
const VALUES =
  "values come from {{ env.NAME }}, from the fixture of `data`, from `extract` and, with `version: 1`, from `values`";

/** Words for the keys of files, by place: as those of `elsewhere.ts`, of which they are a part. */
export const KEY_WORDS = {
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
    "share|flows":
      "flows that share a run are a mix, a file of its own: `mix`, `flows` and `profile`",
    "openapi|swagger":
      "the description of an API is imported: bench import openapi <file>",
    "assert|asserts|assertions|expect|checks?|validate":
      "assertions belong to a step: `assert`",
    "timeouts?|request_timeout": TIMEOUT,
    "insecure|verify|verify_ssl|strict_ssl|tls|ssl|cacert|certificates?": TLS,
    "proxy|proxies": PROXY,
    "think_time|wait_time|(?:min|max)_wait|pause|sleep|delay|pacing": WAIT,
    "weights?": WEIGHT,
    "max_vus|max_rps|agent_addr|disallowed_modes": "`$0` is in the target file",
    "id|call|graphql|grpc|poll|wait|ws|query|body|extract|throttle|retry|on_failure":
      "`$0` belongs to a step: indent it below its `- id`",
    "follow_redirects?|max_redirects|redirects?": NO_REDIRECT,
    "includes?|imports?|extends|templates?": "a flow is one file",
    "scripts?|processor|plugins?|functions?|before_request|after_response|hooks?|events?|pre_request|prerequest":
      NO_CODE,
    "description|comments?|info|docs?|notes?|author|labels?": NO_TEXT,
    "gzip|compress(?:ed|ion)?": GZIP,
    "socket_io": NO_SOCKET_IO,
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
    "gzip|compress(?:ed|ion)?": GZIP,
    "emit|namespace|acknowledge|socket_io": NO_SOCKET_IO,
    "send|receive": "it belongs into `ws`: `ws: { $0: ... }`",
    as: "the name of a variable is its key: `extract: { id: $.id }`",
    strict: NOT_STRICT,
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
    as: "leave it out: the name of a variable is its key",
    strict: NOT_STRICT,
    flags: "letter case is ignored by a part of the pattern: `(?i:...)`",
    index: "the first element is taken: let `css` select the one that is meant",
    transform: "a value is taken as it is, or by a `pattern` a part of it",
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
};
