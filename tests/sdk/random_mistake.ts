import fc from "fast-check";
import { randomFlow } from "./random_flow.ts";

/*
 * Random flows with one thing wrong, or not even that: a value replaced, a key
 * lost, renamed or added, a step said twice.
 */

type Data = Record<string, unknown>;

const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e21, 99_999_999_999, [], {}, { x: 1 }],
  ...[["x"], [null], [[1]], [200], [99], ["200"], [200.5], "", " ", "x"],
  ..."GET,get /x,GET  /x,GET /a b,5 sec,5,1e3s,-1s,0s,integration,laod,fixed"
    .split(","),
  ..."record,header,none,beerer,null,true,{a},token,a.b,a@b,-x,é,Host,X Y"
    .split(","),
  ..."status = 200,status == OK,$.a matches (,$.a matches \\p{L},latency < 5"
    .split(","),
  ..."latency < 5s,p101(latency) < 1s,error_rate < 200%,50/x,1->2 over 3s"
    .split(","),
  ..."https://u:p@h/,ftp://x,//h/x,grpc://h/x,http://h:99999/,$.token,$..*"
    .split(","),
  ...["{{ nope }}", "{{ user.id", "{{ env.X | y }}", "{{ $user.id }}"],
  ...["{{user['id']}}", "s3cret", "a\nb", "ä: b", "no #comment"],
];

const KEYS = (
  "id cal call hedaers headers querry query bdy body asert assert extract " +
  "retry throttle auth on_failure wait poll graphql ws grpc until interval " +
  "timeout max_attempts on_status backoff base_delay statuses as_error " +
  "scheme token username password name value in mode vus hold iterations " +
  "arrival_cap thresholds ramp flow steps data profile version url endpoint " +
  "operation_name variables on_errors proto method message import_paths " +
  "session send receive subprotocols match secret sign header key_id " +
  "token_url client_id client_secret scopes env user"
).split(" ");

type Path = readonly (string | number)[];

/** Where something stands. What no step inherits of the flow's auth is nobody's. */
function places(value: unknown, at: Path = []): Path[] {
  if (at.length > 0 && at[0] === "auth") return [at];
  const inner = typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, each]) =>
      places(each, [...at, Array.isArray(value) ? Number(key) : key])
    )
    : [];
  return at.length > 0 ? [at, ...inner] : inner;
}

const CHANGES = ["replace", "remove", "rename", "add", "repeat"] as const;

const mistake = fc.record({
  place: fc.nat(),
  change: fc.constantFrom(...CHANGES),
  value: fc.constantFrom(...VALUES),
  key: fc.constantFrom(...KEYS),
});

function changed(flow: Data, { place, change, value, key }: {
  readonly place: number;
  readonly change: typeof CHANGES[number];
  readonly value: unknown;
  readonly key: string;
}): Data {
  const copy = structuredClone(flow);
  const all = places(copy);
  const path = all[place % all.length]!;
  const last = path.at(-1)!;
  const around = path.slice(0, -1).reduce(
    (inner, each) => inner[each] as Data,
    copy as Record<string | number, unknown>,
  );
  const here = around[last];
  if (change === "remove" && Array.isArray(around)) {
    around.splice(Number(last), 1);
  } else if (change === "remove") delete around[last];
  else if (change === "rename" && !Array.isArray(around)) {
    delete around[last];
    around[key] = here;
  } else if (change === "add" && isMapping(here)) here[key] = value;
  else if (change === "repeat" && Array.isArray(copy.steps)) {
    copy.steps.push(structuredClone(copy.steps[0]));
  } else around[last] = value;
  // As the text of both surfaces has it: without -0 and without prototypes.
  return JSON.parse(JSON.stringify(copy));
}

function isMapping(value: unknown): value is Data {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The data of a flow file that is likely refused. */
export const randomMistake: fc.Arbitrary<Data> = fc
  .tuple(randomFlow, mistake).map(([flow, each]) => changed(flow, each));
