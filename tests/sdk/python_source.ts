/*
 * A flow given as data, written out as the Python source a person would write.
 */

type Data = Record<string, unknown>;

const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  call: [],
  poll: ["call"],
  graphql: ["query"],
  grpc: ["method"],
  ws: [],
  wait: [],
};

/** Source of a function `make()` that returns the flow. */
export function pythonSource(flow: Data, name: string): string {
  const options = ["profile", "auth", "data"]
    .filter((key) => flow[key] !== undefined)
    .map((key) => `, ${key}=${argument(key, flow[key])}`);
  const lines = [
    `def ${name}():`,
    `    flow = Flow(${literal(flow.flow)}${options.join("")})`,
    ...(flow.steps as Data[]).map((step) => `    flow.${stepSource(step)}`),
    "    return flow",
  ];
  return `${lines.join("\n")}\n`;
}

function stepSource(step: Data): string {
  const kind = Object.keys(BLOCKS).find((key) => key in step)!;
  const { id, [kind]: action, ...rest } = step;
  const plain = kind === "call" || kind === "wait";
  const block = plain ? {} : { ...action as Data };
  const first = plain ? [action] : BLOCKS[kind]!.map((key) => {
    const value = block[key];
    delete block[key];
    return value;
  });
  const named = Object.entries({ ...block, ...rest }).map(([key, value]) =>
    `${key === "assert" ? "assert_" : key}=${argument(key, value)}`
  );
  const positional = [id, ...first].map(literal);
  return `${kind}(${[...positional, ...named].join(", ")})`;
}

function argument(key: string, value: unknown): string {
  if (key === "auth") {
    const { scheme, ...fields } = value as Data;
    const named = Object.entries(fields).map(([name, field]) =>
      `${name === "in" ? "in_" : name}=${literal(field)}`
    );
    return `${scheme === "none" ? "no_auth" : scheme}(${named.join(", ")})`;
  }
  if (key === "profile" || key === "retry" || key === "throttle") {
    const named = Object.entries(value as Data).map(([name, field]) =>
      `${name}=${literal(field)}`
    );
    return `${key}(${named.join(", ")})`;
  }
  if (key === "receive" && value === null) return "True";
  return literal(value);
}

/** A JSON value as a Python literal. */
function literal(value: unknown): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value === "number") {
    return Object.is(value, -0)
      ? "-0.0"
      : Number.isInteger(value) && !Number.isSafeInteger(value)
      ? `float("${value}")`
      : String(value);
  }
  // A JSON string is a Python string, as long as it has no surrogate escapes.
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  const pairs = Object.entries(value as Data).map(([key, each]) =>
    `${JSON.stringify(key)}: ${literal(each)}`
  );
  return `{${pairs.join(", ")}}`;
}
