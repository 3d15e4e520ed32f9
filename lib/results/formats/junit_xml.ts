/** One `<testcase>`. */
export interface Case {
  readonly name: string;
  /** Seconds; 0 when it has no time of its own. */
  readonly seconds: number;
  readonly verdict?: {
    readonly element: "failure" | "error" | "skipped";
    readonly type: string;
    readonly message: string;
    /** What a person needs to find it. */
    readonly text: string;
  };
}

/** One `<testsuite>`. */
interface Suite {
  readonly name: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly durationMs: number;
  readonly properties: readonly (readonly [name: string, value: string])[];
  readonly cases: readonly Case[];
}

/** A suite as JUnit XML, as build servers read it. */
export function renderSuite(
  { name, timestamp, durationMs, properties, cases }: Suite,
): string {
  const count = (element: string) =>
    cases.filter(({ verdict }) => verdict?.element === element).length;
  const counts = `tests="${cases.length}" failures="${
    count("failure")
  }" errors="${count("error")}" skipped="${count("skipped")}" time="${
    seconds(durationMs)
  }"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bench" ${counts}>
  <testsuite name="${xml(name)}" timestamp="${xml(timestamp)}" ${counts}>
    <properties>
${
    properties.map(([name, value]) =>
      `      <property name="${name}" value="${xml(value)}"/>\n`
    ).join("")
  }    </properties>
${cases.map((each) => caseText(each, name)).join("")}  </testsuite>
</testsuites>
`;
}

function caseText(
  { name, seconds: time, verdict }: Case,
  flow: string,
): string {
  const head = `    <testcase classname="${xml(flow)}" name="${
    xml(name)
  }" time="${seconds(time * 1_000)}"`;
  if (!verdict) return `${head}/>\n`;
  const { element, type, message, text } = verdict;
  const kind = element === "skipped" ? "" : ` type="${xml(type)}"`;
  return `${head}>
      <${element} message="${xml(message)}"${kind}>${xml(text)}</${element}>
    </testcase>
`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** Text for an attribute or an element; what XML 1.0 has no character for is left out. */
function xml(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex -- XML 1.0, section 2.2
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("\r", "&#13;");
}
