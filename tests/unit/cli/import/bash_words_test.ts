import { shownText } from "../../../../cli/import/draft/template_text.ts";
import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { bashCommands } from "../../../../cli/import/curl/bash_words.ts";

/** Words that bash itself says. */
async function wordsOfBash(scripts: readonly string[]): Promise<string[][]> {
  const body = `curl() { printf '%s\\0' "$@"; printf '\\1'; }\n${
    scripts.join("\n")
  }\n`;
  const { stdout, stderr } = await new Deno.Command("bash", {
    args: ["-c", body],
    env: { LC_ALL: "C.UTF-8" },
  }).output();
  deepStrictEqual(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).split("\x01").slice(0, -1)
    .map((each) => each.split("\0").slice(0, -1));
}

Deno.test("bashCommands: splits words as bash does", async () => {
  const scripts = [
    `curl a 'b c' "d \\"e\\" \\\\ \\n"`,
    "curl a\\ b \\\n  -H 'x: y' # and so on",
    "curl $'it\\'s \\u0021 \\x41\\101\\n\\t\\\\ \\e'",
    `curl -d '{"a": "it'"'"'s"}' x=1'2'"3"4`,
    `curl "" '' a""b`,
    `curl 'two\nlines' "and\nmore"`,
    `curl a; curl b && curl c`,
    `curl "a\\\nb" c`,
    `curl a#b "#" '&' \\&`,
    `curl https://h/p?a=1\\&b=2 2>/dev/null`,
    `curl -d"\\$5"`,
  ];
  const expected = await wordsOfBash(scripts);
  const actual = scripts.flatMap((each) => bashCommands(each))
    .map(({ words }) => words.slice(1));
  deepStrictEqual(actual, expected);
});

Deno.test("bashCommands: variables are of the environment, pipes and here-documents are seen", () => {
  const commands = bashCommands(
    'curl "$BASE/${ID:-7}" -d @- <<EOF | jq .\n{"a": "$A"}\nEOF\ncurl \'$A\' `pwd`',
  );
  deepStrictEqual(
    commands.map(({ words, line, piped }) => [
      line,
      piped,
      words.map(shownText),
    ]),
    [
      [1, false, ["curl", "{{ env.BASE }}/7", "-d", "@-"]],
      [1, true, ["jq", "."]],
      [4, false, ["curl", "$A", "{{ env.COMMAND_OUTPUT }}"]],
    ],
  );
  deepStrictEqual(
    bashCommands("curl -d @- <<'X'\n$A\nX")[0]!.input?.text,
    "$A\n",
    "in quotes nothing is a variable",
  );
});

Deno.test("bashCommands: what the script says of a variable is written out, but for credentials", () => {
  const script = `HOST=localhost; export PORT=\${PORT:-"80"}
NAME="a b" KEY='geheim' OPTS="-s -X PUT" AUTH="Authorization: Token geheim"
SINCE="t-$(date)"
curl $OPTS "http://$HOST:$PORT/$NAME" $NAME "$KEY" "$AUTH" "$SINCE" '$HOST'
curl "\${HOST:-\${OTHER}}/$1\${2:-x}" "\${A:-\${OTHER}}"
HOST=$OTHER
curl $HOST \${TOKEN:-geheim}`;
  const words = bashCommands(script).map((each) => each.words.map(shownText))
    .filter(([first]) => first === "curl");
  deepStrictEqual(words, [
    [
      ...["curl", "-s", "-X", "PUT", "http://localhost:80/a b", "a", "b"],
      ...["{{ env.KEY }}", "Authorization: Token geheim", "{{ env.SINCE }}"],
      "$HOST",
    ],
    ["curl", "localhost/{{ env.ARGUMENT_1 }}x", "{{ env.A }}"],
    ["curl", "{{ env.HOST }}", "{{ env.TOKEN }}"],
  ]);
});

Deno.test("bashCommands: what is in $(...) ends where bash ends it, at any depth", () => {
  const words = (script: string) =>
    bashCommands(script).map((each) => each.words.map(shownText));
  deepStrictEqual(
    words(`curl a$(echo ")" '(' \\) $(date "+%s"))b "$(x "y)")" $((1 + 2))`),
    [[
      "curl",
      "a{{ env.COMMAND_OUTPUT }}b",
      "{{ env.COMMAND_OUTPUT }}",
      "{{ env.COMMAND_OUTPUT }}",
    ]],
  );
  deepStrictEqual(words("curl $(curl $(curl a | jq .b)\n)\ncurl c"), [
    ["curl", "a"],
    ["curl", "{{ b }}"],
    ["curl", "{{ env.COMMAND_OUTPUT }}"],
    ["curl", "c"],
  ]);
  const deep = "$(curl ".repeat(50_000);
  deepStrictEqual(words(deep + ")".repeat(50_000)).length, 6);
  deepStrictEqual(words(deep)[0]![0], "$(curl");
});

Deno.test("bashCommands: a default ends at its own brace, and one without an end is none", () => {
  const words = (script: string) =>
    bashCommands(script).map((each) => each.words.map(shownText));
  deepStrictEqual(
    words('curl "${A:-${B:-x}}/a" ${C:-{}} ${D:?no $ here}, ${E+1}'),
    [[
      "curl",
      "{{ env.A }}/a",
      "{}",
      "{{ env.D }},",
      "{{ env.E }}",
    ]],
  );
  for (const part of ["${A:-", "${"]) {
    const long = part.repeat(200_000);
    deepStrictEqual(words(`curl ${long}`), [["curl", long]]);
  }
});

Deno.test("bashCommands: a quote that is not closed is an error with its line", () => {
  throws(
    () => bashCommands("curl a\ncurl 'b"),
    /^Refused: line 2: the ' quote is not closed$/,
  );
});

Deno.test("bashCommands: a pattern for all but quotes is no sign of cmd.exe", () => {
  const script = `T=$(curl https://h/p | sed 's/.*"t":"\\([^"]*\\).*/\\1/')`;
  strictEqual(bashCommands(script)[0]!.words.join(" "), "curl https://h/p");
});

Deno.test("bashCommands: a command that was copied for cmd.exe is refused", () => {
  for (
    const script of [
      'curl ^"https://h/p^"',
      'curl "https://h/p" ^\r\n  -H "a: b"',
      'curl https://h/p -H ^"a: b^"',
    ]
  ) {
    throws(
      () => bashCommands(script),
      /^Refused: this command was copied for cmd\.exe$/,
    );
  }
});

Deno.test("bashCommands: lists are the words that they hold, and parentheses end a word", () => {
  const script = `ARGS=(
  -s # it's quiet
  -H "X-A: 1 2"
)
ARGS+=(-d 'a b') NONE=()
curl "\${ARGS[@]}" "\${NONE[@]}" x \${ARGS[*]} "a \${ARGS[@]}"
f() { curl y; }; (cd /; curl z)
case $1 in a) curl q(1) ;; esac`;
  deepStrictEqual(
    bashCommands(script).map(({ words }) => words.map(shownText))
      .filter((words) => words.includes("curl")),
    [
      [
        ...["curl", "-s", "-H", "X-A: 1 2", "-d", "a b", "x"],
        ...["-s", "-H", "X-A:", "1", "2", "-d", "a", "b", "a ${ARGS[@]}"],
      ],
      ["{", "curl", "y"],
      ["curl", "z"],
      ["curl", "q(1)"],
    ],
  );
  throws(
    () => bashCommands('curl -s\ncurl "${MORE[@]}" x'),
    /line 2: the script does not set the list "\$\{MORE\[@\]\}"/,
  );
  const grown = Array.from(
    { length: 30 },
    (_, n) => `L${n + 1}=("\${L${n}[@]}" "\${L${n}[@]}")`,
  );
  throws(
    () => bashCommands(["L0=(a b)", ...grown].join("\n")),
    /the lists of the script have more than 100000 words/,
  );
  deepStrictEqual(bashCommands("a=(".repeat(200_000)).length, 1);
  const long = `x(${")".repeat(300_000)}`;
  deepStrictEqual(bashCommands(`curl ${long}`)[0]!.words, ["curl", long]);
});

Deno.test("bashCommands: a command that goes on as PowerShell has it is refused, and a backtick of bash is not", () => {
  throws(
    () => bashCommands('curl.exe "https://h.example/" `\r\n  -H "a: b"'),
    /written for PowerShell/,
  );
  const last = bashCommands("D=`date `\ncurl https://h.example/").at(-1)!;
  strictEqual(last.words.join(" "), "curl https://h.example/");
});
