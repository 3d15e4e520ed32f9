import assert from "node:assert/strict";
import { envExample } from "../../../../cli/import/draft/companion_files.ts";
import { flowYaml } from "../../../../cli/import/draft/flow_yaml.ts";
import { importCurl } from "../../../../cli/import/curl/import_curl.ts";
import { allText, compiled } from "./imported.ts";

const readText = (path: string) => {
  if (path === "long.json") return JSON.stringify("x".repeat(200_000));
  if (path === "item.json") return '{\n  "id": 7\n}\n';
  if (path === "fields") return "X-One: 1\r\nX-Two: b\n\n";
  throw new Error(`no file ${path}`);
};
const draftOf = (script: string) => importCurl(script, { readText });

/** The steps of a script as the file says them. */
function steps(script: string): string {
  return flowYaml(draftOf(script)).split("steps:\n")[1]!
    .replaceAll(/^ {2}/gm, "");
}

/** Forms of real documentation, with hosts and values of our own. */
const CASES: readonly [title: string, script: string, expected: string][] = [
  [
    "a GET with query parameters",
    "curl 'https://api.example.com/v1/items?page=2&q=a%20b&tag=x&tag=y'",
    `- id: get-items
  call: GET /v1/items
  query:
    page: 2
    q: a b
    tag:
      - x
      - y
`,
  ],
  [
    "a URL without quotes, whose `&` a shell would end the command at",
    "curl api.example.com/a?b=1&c=2&d[]=3 -X PUT & curl api.example.com/b?c=1&& curl api.example.com/c",
    `- id: put-a
  call: PUT /a
  query: { b: 1, c: 2, "d[]": 3 }

- id: get-b
  call: GET /b
  query: { c: 1 }

- id: get-c
  call: GET /c
`,
  ],
  [
    "a list with commas, as it was written",
    "curl 'https://api.example.com/v1/items?ids=1,2&q=a%2Cb'",
    `- id: get-items
  call: GET /v1/items?ids=1,2
  query: { q: "a,b" }
`,
  ],
  [
    "a GraphQL request with parameters in its URL",
    `curl 'https://api.example.com/graphql?op=a b&v={1}' -d '{"query":"query A { a }"}' -H 'content-type: application/json'`,
    `- id: a
  graphql:
    url: /graphql?op=a%20b&v=%7B1%7D
    query: query A { a }
`,
  ],
  [
    "headers in a file",
    "curl -H @fields https://api.example.com/a",
    `- id: get-a
  call: GET /a
  headers:
    X-One: "1"
    X-Two: b
`,
  ],
  [
    "lines of one header as one value, cookies with a semicolon, and the last where there can be only one",
    `curl https://h.example/a -H 'X-A: 1' -H 'x-a: 2' -H 'X-A:' -H 'Cookie: lang=de; a=' -H 'Cookie: b=' -H 'Content-Type: text/x' -H 'content-type: text/y' -d z`,
    `# Header Content-Type was there 2 times: the last is sent.
- id: post-a
  call: POST /a
  headers:
    X-A: 1, 2
    Cookie: lang={{ env.IMPORTED_LANG }}; a=; b=
    Content-Type: text/y
  text: z
`,
  ],
  [
    "data makes a POST, and JSON a body",
    `curl https://api.example.com/v1/items -H "Content-Type: application/json" -d '{"name": "a: b", "no": "no", "n": 1.50, "list": []}'`,
    `- id: post-items
  call: POST /v1/items
  body:
    name: "a: b"
    no: no
    n: 1.5
    list: []
`,
  ],
  [
    "--json and its parts, HEAD, and a request method",
    `curl --json '{"a":1' --json ',"b":2}' https://h.example/x; curl -I https://h.example/x; curl -X DELETE https://h.example/x/7`,
    `- id: post-x
  call: POST /x
  headers:
    Accept: application/json
  body:
    a: 1
    b: 2

- id: head-x
  call: HEAD /x

- id: delete-x-one
  call: DELETE /x/7
`,
  ],
  [
    "-G with --data-urlencode",
    `curl -G https://h.example/search --data-urlencode "q=a&b=c" --data-urlencode 'x' -d n=1`,
    `- id: get-search
  call: GET /search?q=a%26b%3Dc&x&n=1
`,
  ],
  [
    "a part of the query that is encoded already",
    "curl https://h.example/a --url-query '+e%20f' --url-query 'g h'",
    `- id: get-a
  call: GET /a?e%20f&g%20h
`,
  ],
  [
    "the media type as curl says it: none, or one without data",
    `curl https://h.example/a -d x=1 -H 'Content-Type:'
curl https://h.example/b -d ''
curl https://h.example/c -G --json '{"a":1}'
curl https://h.example/d -X POST -H 'Content-Type: application/json'
curl https://h.example/e -d x -H 'Content-Type: text/plain; charset=UTF-8'
curl https://h.example/f -H 'Content-Type:'`,
    `- id: post-a
  call: POST /a
  headers:
    Content-Type: ""
  form:
    x: 1

- id: post-b
  call: POST /b
  headers:
    Content-Type: application/x-www-form-urlencoded

- id: get-c
  call: GET /c?%7B%22a%22:1%7D
  headers:
    Content-Type: application/json
    Accept: application/json

- id: post-d
  call: POST /d
  headers:
    Content-Type: application/json

- id: post-e
  call: POST /e
  text: x

- id: get-f
  call: GET /f
`,
  ],
  [
    "JSON of which a value would lose something is the text that it is",
    `curl https://h.example/a -H 'Content-Type: application/json' -d '{"a":1, "a":2}'
curl https://h.example/b -H 'Content-Type: application/json' -d '{"n":1e999}'`,
    `- id: post-a
  call: POST /a
  headers:
    Content-Type: application/json
  text: '{"a":1, "a":2}'

- id: post-b
  call: POST /b
  headers:
    Content-Type: application/json
  text: '{"n":1e999}'
`,
  ],
  [
    "an upload of what another command prints",
    "printf '%s' 'a b' | curl -T - https://h.example/a/",
    `- id: put-a
  call: PUT /a/
  headers:
    Content-Type: ""
  text: a b
`,
  ],
  [
    "a body from a file",
    "curl https://h.example/items -d @item.json",
    `- id: post-items
  call: POST /items
  headers:
    Content-Type: application/x-www-form-urlencoded
  body:
    id: 7
`,
  ],
  [
    "the bodies and types that curl sends, where the command says none",
    `curl https://h.example/a -d '{"a":1}'
curl https://h.example/b -T a.png -T b.txt https://h.example/c/ https://h.example/d
curl https://h.example/e -H 'Content-Type: application/x-www-form-urlencoded' -d hello
curl https://h.example/f -d 'n=%E9' 'https://h.example/g?q=%E9'`,
    `- id: post-a
  call: POST /a
  headers:
    Content-Type: application/x-www-form-urlencoded
  body:
    a: 1

- id: put-b
  call: PUT /b
  headers:
    Content-Type: ""
  file: a.png

- id: put-c-b-txt
  call: PUT /c/b.txt
  headers:
    Content-Type: ""
  file: b.txt

- id: get-d
  call: GET /d

- id: post-e
  call: POST /e
  headers:
    Content-Type: application/x-www-form-urlencoded
  text: hello

- id: post-f
  call: POST /f
  headers:
    Content-Type: application/x-www-form-urlencoded
  text: n=%E9

- id: post-g
  call: POST /g?q=%E9
  headers:
    Content-Type: application/x-www-form-urlencoded
  text: n=%E9
`,
  ],
  [
    "line ends that curl sends, the types of files that it knows, and a path that begins with two slashes",
    `curl https://h.example/a -H 'Content-Type: application/x-ndjson' --data-binary @- <<'END'
{"a":1}
{"b":2}
END
echo x | curl https://h.example/b --data-binary @- -H 'Content-Type: text/x'
echo -n x | curl https://h.example/c --data-binary @- -H 'Content-Type: text/x'
curl https://h.example/d -F f=@a.csv -F g=@a.JPG -F 'h=@a.xyz;filename=a.png'
curl https://h.example//e -C 7 -e 'https://h.example/;auto'`,
    `- id: post-a
  call: POST /a
  headers:
    Content-Type: application/x-ndjson
  text: |
    {"a":1}
    {"b":2}

- id: post-b
  call: POST /b
  headers:
    Content-Type: text/x
  text: |
    x

- id: post-c
  call: POST /c
  headers:
    Content-Type: text/x
  text: x

- id: post-d
  call: POST /d
  multipart:
    f: { file: a.csv, type: application/octet-stream }
    g: { file: a.JPG }
    h: { file: a.xyz, type: image/png, name: a.png }

- id: get-e
  call: GET https://h.example//e
  headers:
    Referer: https://h.example/
    Range: bytes=7-
`,
  ],
  [
    "a range without an end, paths with dots, and options that are cut short",
    `curl -r 600 https://h.example/a/../b/./c/..?x=../y
curl --path-as-is "$BASE/a/../b" https://h.example/../d
curl --upload-f a.png "$BASE/a/../b"`,
    `- id: get-b
  call: GET /b/
  headers:
    Range: bytes=600-
  query: { x: ../y }

- id: get-a-b
  call: GET /a/../b

- id: get-d
  call: GET /../d

- id: put-b
  call: PUT /b
  headers:
    Content-Type: ""
  file: a.png
`,
  ],
  [
    "forms, texts and files are sent",
    `curl https://h.example/login -d user=joe -d 'password=geheim'
curl https://h.example/up -F 'a=1' -F a=2 -F 'token=geheim'
curl https://h.example/up -F 'file=@a.png' -F note=x
curl https://h.example/up -T a.png
curl https://h.example/note -d 'a note' -H 'Content-Type: text/plain'
curl https://h.example/list -d a=1 -d b=2 -d a=3`,
    `- id: post-login
  call: POST /login
  form:
    user: joe
    password: "{{ env.PASSWORD }}"

- id: post-up
  call: POST /up
  multipart:
    a:
      - 1
      - 2
    token: "{{ env.PASSWORD }}"

- id: post-up-2
  call: POST /up
  multipart:
    file: { file: a.png }
    note: x

- id: put-up
  call: PUT /up
  headers:
    Content-Type: ""
  file: a.png

- id: post-note
  call: POST /note
  headers:
    Content-Type: text/plain
  text: a note

- id: post-list
  call: POST /list
  headers:
    Content-Type: application/x-www-form-urlencoded
  text: a=1&b=2&a=3
`,
  ],
  [
    "parts of a form by their types and names; what has no words is said",
    `curl https://h.example/a -F 'f=@a.png;type=image/png;filename="my ;pic\\".png"' -F 'm={"a":1};type=application/json; charset=utf-8'
curl https://h.example/b -F 'f=@a.png,dir/b.png' -F 'n=<item.json' --form-string 'raw=@x;y'
curl https://h.example/c -F 'f=@-' -F 'g=x;headers="X: y"'
curl https://h.example/d -F 'password=geheim;type=text/plain'
curl https://h.example/e -F 'title=a; b' -F 'note="a; b"'`,
    `- id: post-a
  call: POST /a
  multipart:
    f: { file: a.png, type: image/png, name: my ;pic".png }
    m: { text: '{"a":1}', type: application/json; charset=utf-8 }

- id: post-b
  call: POST /b
  multipart:
    f:
      - { file: a.png }
      - { file: dir/b.png }
    n: |
      {
        "id": 7
      }
    raw: "@x;y"

# Left out a multipart form (f, g): write it as \`multipart\`.
- id: post-c
  call: POST /c

- id: post-d
  call: POST /d
  multipart:
    password: { text: "{{ env.PASSWORD }}", type: text/plain }

- id: post-e
  call: POST /e
  multipart:
    title: a
    note: a; b
`,
  ],
  [
    "a parameter that names a credential twice",
    "curl 'https://h.example/a?key=geheim-1&key=geheim-2'",
    `- id: get-a
  call: GET /a
  query:
    key:
      - "{{ env.KEY }}"
      - "{{ env.KEY_2 }}"
`,
  ],
  [
    "what a command reads from its standard input",
    `curl https://h.example/a --json @- <<< '{"a":1}'
curl https://h.example/b --json @- < item.json
curl -T - https://h.example/c < "a b.bin"
for i in 1 2; do echo -n "n=$N" | curl https://h.example/d -d @-; done
cat item.json | curl https://h.example/e --json @- | jq .
cat <<END | curl https://h.example/f --json @-
{"a":2}
END
curl https://h.example/g --json @- <<END | jq .
{"a":3}
END
ID=$(printf '%s' '{"a":4}' | curl https://h.example/h --json @- | jq .id)
curl https://h.example/i/$ID </dev/null`,
    `- id: post-a
  call: POST /a
  headers:
    Accept: application/json
  body:
    a: 1

- id: post-b
  call: POST /b
  headers:
    Accept: application/json
  body:
    id: 7

- id: put-c
  call: PUT /c
  headers:
    Content-Type: ""
  file: a b.bin

- id: post-d
  call: POST /d
  form:
    n: "{{ env.N }}"

- id: post-e
  call: POST /e
  headers:
    Accept: application/json
  body:
    id: 7

- id: post-f
  call: POST /f
  headers:
    Accept: application/json
  body:
    a: 2

- id: post-g
  call: POST /g
  headers:
    Accept: application/json
  body:
    a: 3

- id: post-h
  call: POST /h
  headers:
    Accept: application/json
  body:
    a: 4
  extract:
    id: $.id

- id: get-i-one
  call: GET /i/{{ id }}
`,
  ],
  [
    "pauses between commands, and after the last",
    `for i in 1 2; do
  sleep 1; curl https://h.example/a; sleep 1.5; sleep 2m
  curl https://h.example/b https://h.example/wait
  sleep .25
done`,
    `- id: wait
  wait: 1s

- id: get-a
  call: GET /a

- id: wait-2
  wait: 121500ms

- id: get-b
  call: GET /b

- id: get-wait
  call: GET /wait

- id: wait-3
  wait: 250ms
`,
  ],
  [
    "a multipart form as browsers copy it",
    `curl https://h.example/a -H 'content-type: multipart/form-data; boundary=x' --data-raw $'--x\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1 2\\r\\n--x\\r\\nContent-Disposition: form-data; name="token"\\r\\n\\r\\ngeheim\\r\\n--x--\\r\\n'
curl https://h.example/b -H 'content-type: multipart/related; boundary=x' --data-raw $'--x\\r\\n\\r\\n{}\\r\\n--x--'`,
    `- id: post-a
  call: POST /a
  multipart:
    a: 1 2
    token: "{{ env.TOKEN }}"

# Left out a body of \`multipart/related\`.
- id: post-b
  call: POST /b
`,
  ],
  [
    "a binary body is its file; JSON is read",
    `curl https://h.example/a --data-binary @a.bin
curl https://h.example/b --data-binary @a.bin -H 'Content-Type: image/x'
curl https://h.example/c --data-binary @item.json -H 'Content-Type: application/json'`,
    `- id: post-a
  call: POST /a
  headers:
    Content-Type: application/x-www-form-urlencoded
  file: a.bin

- id: post-b
  call: POST /b
  headers:
    Content-Type: image/x
  file: a.bin

- id: post-c
  call: POST /c
  body:
    id: 7
`,
  ],
  [
    "long JSON is its file",
    `curl https://h.example/a --json @long.json
curl https://h.example/b --data-binary @long.json
curl https://h.example/c -d @long.json
curl https://h.example/d --data-raw @long.json`,
    `- id: post-a
  call: POST /a
  headers:
    Content-Type: application/json
    Accept: application/json
  file: long.json

- id: post-b
  call: POST /b
  headers:
    Content-Type: application/x-www-form-urlencoded
  file: long.json

- id: post-c
  call: POST /c
  headers:
    Content-Type: application/x-www-form-urlencoded
  file: long.json

- id: post-d
  call: POST /d
  headers:
    Content-Type: application/x-www-form-urlencoded
  text: "@long.json"
`,
  ],
  [
    "a request in $(...) is a step, and what jq or Python takes of it a variable",
    `BASE=https://h.example/v1
TOKEN=$(curl -s "$BASE/session" \\
  -d 'user=ada&password=geheim' | jq -r '.data.token // empty')
RESP="$(curl -s "$BASE/orders?x=(1)" -H "Authorization: Bearer $TOKEN")"
export USER=$(echo "$RESP" | jq -r '.items[0]["order id"]')
N=\`curl -s $BASE/n | python3 -c "import sys, json; print(json.load(sys.stdin)['a'][0])"\`
curl $BASE/orders/$USER/$N -H "X-Key: Bearer $(curl $BASE/login | jq .key)"
X=$(curl $BASE/x | grep y)
curl $BASE/y/$X`,
    `- id: post-session
  call: POST /v1/session
  form:
    user: ada
    password: "{{ env.PASSWORD }}"
  extract:
    token: $.data.token

- id: get-orders
  call: GET /v1/orders
  auth: { scheme: bearer, token: "{{ token }}" }
  query: { x: (1) }
  extract:
    user_2: $.items[0]["order id"]

- id: get-n
  call: GET /v1/n
  extract:
    n: $.a[0]

- id: get-login
  call: GET /v1/login
  extract:
    key: $.key

- id: get-orders-one
  call: GET /v1/orders/{{ user_2 }}/{{ n }}
  headers:
    X-Key: Bearer {{ key }}

- id: get-x
  call: GET /v1/x

- id: get-y-one
  call: GET /v1/y/{{ env.X }}
`,
  ],
  [
    "agent, referer, range and codings are headers; what only browsers say is not",
    "curl https://h.example/ -A me/1 -e https://r.example/ -r 0-9 --compressed -H 'Sec-Fetch-Mode: cors' -H 'Accept: */*' -H 'X-Empty;' -H 'X-Gone:'",
    `# Left out: Sec-Fetch-Mode.
- id: get
  call: GET /
  headers:
    X-Empty: ""
    X-Gone: ""
    User-Agent: me/1
    Referer: https://r.example/
    Range: bytes=0-9
    Accept-Encoding: gzip, deflate, br
`,
  ],
  [
    "GraphQL is a step of its own",
    `curl https://h.example/graphql --json '{"query":"query FindItem($id: ID!) {\\n  item(id: $id) { name }\\n}","variables":{"id":7}}'`,
    `- id: find-item
  graphql:
    url: /graphql
    query: |-
      query FindItem($id: ID!) {
        item(id: $id) { name }
      }
    variables:
      id: 7
  headers:
    Accept: application/json
`,
  ],
  [
    "GraphQL that a flow would refuse is a call",
    `curl https://h.example/graphql --json '{"query":"query A { a } query B { b }"}'
curl https://h.example/graphql --json '{"query":"query A { a } query B { b }","operationName":"B"}'
curl https://h.example/graphql --json '{"query":"query A($id: ID!) { a(id: $id) }"}'
curl https://h.example/graphql --json '{"query":"{ a"}'`,
    `- id: post-graphql
  call: POST /graphql
  headers:
    Accept: application/json
  body:
    query: query A { a } query B { b }

- id: b
  graphql:
    url: /graphql
    query: query A { a } query B { b }
    operation_name: B
  headers:
    Accept: application/json

- id: post-graphql-2
  call: POST /graphql
  headers:
    Accept: application/json
  body:
    query: "query A($id: ID!) { a(id: $id) }"

- id: post-graphql-3
  call: POST /graphql
  headers:
    Accept: application/json
  body:
    query: "{ a"
`,
  ],
  [
    "a second host is written out",
    "curl https://a.example/x; curl https://a.example/y; curl https://b.example:8443/z",
    `- id: get-x
  call: GET /x

- id: get-y
  call: GET /y

- id: get-z
  call: GET https://b.example:8443/z
`,
  ],
];

for (const [title, script, expected] of CASES) {
  Deno.test(`import curl: ${title}`, async () => {
    assert.strictEqual(steps(script), expected);
    await compiled(draftOf(script));
  });
}

Deno.test("import curl: credentials become variables, wherever they are", async () => {
  const secrets = [
    "geheim-1",
    "geheim-2",
    "geheim-3",
    "geheim-4",
    "geheim-5",
    "geheim-6",
    "geheim-7",
    "eyJhbGciOi.J9x.y",
    "xoxb-1234-abcd",
  ];
  const [bearer, word, key, cookie, field, second, user, jwt, marked] = secrets;
  const draft = draftOf(`
curl https://h.example/a -H 'Authorization: Bearer ${bearer}'
curl https://h.example/b -u '${user}:${word}'
curl 'https://h.example/c?api_key=${key}' -b 'sid=${cookie}; other=${second}'
curl https://h.example/d --json '{"user":"joe","password":"${field}","t":"${jwt}"}'
curl https://h.example/e/${marked}/f -H 'X-Auth-Key: ${bearer}' -H 'Idempotency-Key: 7'
curl https://${user}:${word}@h.example/g -H "Authorization: Token ${second}"
curl https://h.example/h -u ${marked}:
`);
  await compiled(draft);
  const text = allText(draft);
  for (const secret of secrets) {
    assert.ok(!text.includes(secret!), `${secret}\n${text}`);
  }
  assert.match(text, /Idempotency-Key: "?7/);
  assert.deepStrictEqual(
    draft.env.map(({ name }) => name),
    [
      "API_TOKEN",
      "API_USERNAME",
      "API_PASSWORD",
      "SID",
      "IMPORTED_OTHER",
      "API_KEY",
      "PASSWORD",
      "IMPORTED_T",
      "PATH_TOKEN",
      "BASIC_CREDENTIALS",
    ],
  );
  assert.match(
    envExample(draft.env),
    /# base64 of `<user or key>:` \(with the colon\)\nBASIC_CREDENTIALS=\n/,
  );
});

Deno.test("import curl: variables of the shell stay variables, and auth that most steps have is said once", async () => {
  const draft = draftOf(`export TOKEN=geheim
curl https://h.example/a -H "Authorization: Bearer $TOKEN"
curl "https://h.example/b/$ID" -H "Authorization: Bearer $TOKEN"
curl https://h.example/c | jq .`);
  const text = flowYaml(draft);
  assert.match(
    text,
    /\nauth: \{ scheme: bearer, token: "\{\{ env\.TOKEN \}\}" \}\n/,
  );
  assert.match(text, /call: GET \/b\/\{\{ env\.ID \}\}\n/);
  assert.match(text, /call: GET \/c\n {4}auth: \{ scheme: none \}\n/);
  assert.ok(!text.includes("geheim"));
  assert.deepStrictEqual(draft.notes, []);
  await compiled(draft);
});

Deno.test("import curl: what a flow does not do is named, and what does it instead", () => {
  const { notes, timeout } = draftOf(
    "curl -kL --http1.1 --retry 3 -x http://p:1 --max-time 5 --digest --aws-sigv4 aws:s3 -b jar.txt https://h.example/\nls -l",
  );
  assert.deepStrictEqual(notes, [
    "`-k`: give `--insecure` to `bench run`",
    "`-L`: redirects are not followed; a 3xx is a response like any other",
    "`--http1.1`: give `--http 1.1` to `bench run`",
    "`--retry`: a step tries again as its `retry` says",
    "`-x`: give `--proxy` to `bench run`",
    "`--digest`: there is no such auth scheme",
    "`--aws-sigv4`: there is no such auth scheme",
    "`-b <file>`: cookie files are not read",
    "line 2: `ls` is not curl and was left out",
  ]);
  assert.strictEqual(timeout, 5);
});

Deno.test("import curl: an upload of standard input that is not in the command is said to be left out", () => {
  const draft = draftOf("curl -T - https://h.example/a/");
  assert.match(flowYaml(draft), /# Left out standard input.*as `file`\./);
});

Deno.test("import curl: a password that curl would not send is sent by no flow", () => {
  for (const scheme of ["digest", "ntlm", "negotiate", "aws-sigv4 aws:s3"]) {
    const draft = draftOf(`curl --${scheme} -u ada:pw https://h.example/`);
    const [option] = scheme.split(" ");
    assert.deepStrictEqual(draft.notes, [
      `\`--${option}\`: there is no such auth scheme, so \`-u\` is not sent`,
    ]);
    assert.deepStrictEqual(draft.env, []);
    assert.doesNotMatch(flowYaml(draft), /^ *auth:|authorization/im);
  }
});

Deno.test("import curl: a password that another response gave is one of the environment", async () => {
  const draft = draftOf(
    'T=$(curl https://h.example/a | jq -r .t)\ncurl -u "ada:$T" https://h.example/b',
  );
  assert.deepStrictEqual(draft.env.map(({ name, about }) => [name, about]), [
    ["API_USERNAME", "user of basic auth"],
    [
      "API_PASSWORD",
      "password of basic auth: a flow takes it from the environment alone",
    ],
  ]);
  await compiled(draft);
});

Deno.test("import curl: cookies that one command writes and another one reads are kept by the flow", async () => {
  const draft = draftOf(
    "curl -c jar.txt https://h.example/a\ncurl -b jar.txt https://h.example/b",
  );
  assert.deepStrictEqual(draft.notes, []);
  assert.strictEqual((await compiled(draft)).cookies, "iteration");
});

Deno.test("import curl: cookies that no command reads are not kept, and one that reads none is named", () => {
  const sent = (line: number) =>
    `line ${line}: cookies of earlier responses are sent, which curl does not: a flow keeps them for all of its steps`;
  const table: readonly [script: string, kept: boolean, ...notes: string[]][] =
    [
      ["curl -c j https://h.example/a; curl https://h.example/b", false],
      ["curl -c j https://h.example/a; curl -c j https://h.example/b", false],
      ["curl -c j https://h.example/a https://h.example/b", true],
      ["curl -b '' https://h.example/a https://h.example/b", true],
      [
        "curl -c j https://h.example/a\ncurl https://h.example/b\ncurl -b j https://h.example/c",
        true,
        sent(2),
      ],
    ];
  for (const [script, kept, ...notes] of table) {
    const draft = draftOf(script);
    assert.strictEqual(draft.keepsCookies, kept, script);
    assert.deepStrictEqual(draft.notes, notes, script);
  }
});

Deno.test("import curl: a cookie without a name is sent, and is a credential as any", () => {
  const { steps: [step] } = draftOf(
    "curl https://h.example/ -H 'Cookie: lang; geheim-geheim; a=b'",
  );
  assert.deepStrictEqual(step!.headers, {
    Cookie: "{{ env.COOKIE }}; {{ env.COOKIE_2 }}; a={{ env.IMPORTED_A }}",
  });
});

Deno.test("import curl: credentials that one variable of the shell holds are named", async () => {
  const draft = draftOf(
    'curl -u "$LOGIN" https://h.example/a; curl -u "$KEY:" https://h.example/b',
  );
  await compiled(draft);
  assert.deepStrictEqual(draft.env, [
    { name: "BASIC_CREDENTIALS", about: "base64 of `{{ env.LOGIN }}`" },
    {
      name: "BASIC_CREDENTIALS_2",
      about: "base64 of `{{ env.KEY }}:` (with the colon)",
    },
  ]);
});

Deno.test("import curl: basic auth is sent beside another credential", () => {
  const { auth, steps: [step] } = draftOf(
    "curl -u ada:geheim -H 'X-Api-Key: geheim-2' https://h.example/",
  );
  assert.deepStrictEqual([auth ?? step!.auth, step!.headers], [
    {
      scheme: "basic",
      username: "{{ env.API_USERNAME }}",
      password: "{{ env.API_PASSWORD }}",
    },
    { "X-Api-Key": "{{ env.X_API_KEY }}" },
  ]);
});

Deno.test("import curl: a time, a UUID and random digits are drawn for each iteration", async () => {
  const draft = draftOf(`NAME="user-$(date +%s)"; START=$(date +%s%3N)
curl "https://h.example/$NAME/$(uuidgen | tr A-Z a-z)?day=$(date +%F)" -H "X-Id: $(openssl rand -hex 4)"
curl "https://h.example/$NAME/$RANDOM?at=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
RANDOM=7; curl "https://h.example/$RANDOM"`);
  await compiled(draft);
  assert.deepStrictEqual(draft.values, {
    name: { now: "unix" },
    uuid: "uuid",
    now: { now: "date" },
    hex: { hex: 8 },
    random: { int: "0..32767" },
    now_2: { now: "rfc3339" },
  });
  assert.deepStrictEqual(draft.steps.map(({ call }) => call), [
    "GET /user-{{ name }}/{{ uuid }}",
    "GET /user-{{ name }}/{{ random }}",
    "GET /7",
  ]);
  assert.deepStrictEqual([draft.env, draft.notes], [[], []]);
});

Deno.test("import curl: what may be a number is a text in JSON where it has quotes", async () => {
  const draft = draftOf(`ID=$(curl https://h.example/a | jq .id)
curl https://h.example/b --json "{\\"id\\":\\"$ID\\"}"
curl https://h.example/c --json "{\\"at\\":\\"$(date +%s)\\"}"
curl https://h.example/d --json "{\\"id\\":\\"$(uuidgen)\\",\\"n\\":\\"a-$ID\\"}"
curl https://h.example/e --json "{\\"query\\":\\"query A(\\$id: ID) { a }\\",\\"variables\\":{\\"id\\":\\"$ID\\"}}"`);
  await compiled(draft);
  assert.deepStrictEqual(
    draft.steps.slice(1).map(({ text, body, graphql }) =>
      text ?? body ?? graphql!["variables"]
    ),
    [
      '{"id":"{{ id }}"}',
      '{"at":"{{ now }}"}',
      { id: "{{ uuid }}", n: "a-{{ id }}" },
      { id: "{{ id }}" },
    ],
  );
});

Deno.test("import curl: several files of one part are named", () => {
  assert.deepStrictEqual(
    draftOf("curl https://h.example/ -F 'f=@a.png,b.png' -F 'g=@\"a,b\"'")
      .notes,
    ["`-F` with several files: each is a part of its own, which curl nests into one"],
  );
});

Deno.test("import curl: a file of cookies that no command before wrote is named", () => {
  const note = "`-b <file>`: cookie files are not read";
  const table: readonly [script: string, ...notes: string[]][] = [
    ["curl -c jar -b jar https://h.example/a"],
    ["curl -c jar https://h.example/a -b '' -b a=1"],
    ["curl -c jar https://h.example/a; curl -b old https://h.example/b", note],
    ["curl -b jar https://h.example/a; curl -c jar https://h.example/b", note],
  ];
  for (const [script, ...notes] of table) {
    assert.deepStrictEqual(draftOf(script).notes, notes, script);
  }
});

Deno.test("import curl: the default of a variable is written out where it is a URL", async () => {
  const draft = draftOf(
    `BASE="\${BASE:-https://h.example/v1}"\ncurl "$BASE/a?n=\${N:-1}" "\${B-https://h.example}/b"`,
  );
  assert.deepStrictEqual(draft.baseUrls, ["https://h.example"]);
  await compiled(draft);
  assert.deepStrictEqual(
    draft.steps.map((each) => each.call),
    ["GET /v1/a", "GET /b"],
  );
});

Deno.test("import curl: an error in the command is an error that says so", () => {
  const errors: readonly [string, RegExp][] = [
    ["echo hello", /there is no curl command with a URL/],
    ["wget https://h.example/", /`wget` is not curl/],
    ["http POST h.example a=1", /`http` is not curl/],
    ['fetch("https://h.example/", { "method": "GET" });', /copied as fetch/],
    [
      "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri 'https://h.example/'",
      /copied for PowerShell/,
    ],
    [
      "curl --reqest GET https://h.example/",
      /line 1: curl has no option `--reqest`/,
    ],
    [
      "curl -s$MORE https://h.example/",
      /curl has no option `-s\{\{ env\.MORE \}\}`/,
    ],
    [
      "curl --da$MORE https://h.example/",
      /curl has no option `--da\{\{ env\.MORE \}\}`/,
    ],
    ["curl https://h.example/ -X", /line 1: `-X` needs a value/],
    [
      "curl ftp://u:p@h.example/key",
      /^Refused: line 1: `ftp:\/\/h\.example` is not a URL of HTTP/,
    ],
    ["curl 'http:///a'", /its URL names no host/],
    ['curl "https://$HOST/"', /the host in `https:.*` comes from a variable/],
    [
      "echo a\n\ncurl 'https://h.example/{a,b}'",
      /^Refused: line 3: .* is a pattern for several URLs/,
    ],
    [
      'curl https://h.example -X "$HOW"',
      /`\{\{ env\.HOW \}\}` is not a method of a flow/,
    ],
    ["curl https://h.example -d @-", /reads its data from standard input/],
    [
      "curl https://h.example -d @$FILE",
      /the name of the file `\{\{ env\.FILE \}\}` comes from a variable/,
    ],
  ];
  for (const [script, said] of errors) {
    assert.throws(() => draftOf(script), said);
  }
});

Deno.test("import curl: with --vus it is a load test", async () => {
  const flow = await compiled(
    importCurl("curl https://h.example/", {
      readText,
      load: { vus: 20, hold: "10s" },
    }),
  );
  assert.deepStrictEqual([
    flow.profile.mode,
    flow.profile.vus,
    flow.profile.hold_us,
  ], [
    "load",
    20,
    10_000_000,
  ]);
});

Deno.test("importCurl(): a response with the status behind it is the response", async () => {
  const draft = draftOf(`call() {
  local response=$(curl -w "\\n%{http_code}" -X "$1" "https://h.example/$2")
}
TOKEN=$(curl https://h.example/login -X POST | python3 -c "import sys, json; print(json.load(sys.stdin)['data'].get('token', ''))")
RESPONSE=$(curl -w "\\n%{http_code}" https://h.example/a -H "Authorization: Bearer $TOKEN")
BODY=$(echo "$RESPONSE" | head -n -1)
ID=$(echo "$BODY" | jq -r '.data.id')
LAST=$(echo "$RESPONSE" | sed '$d')
NAME=$(echo "$LAST" | jq -r .name)
curl "https://h.example/a/$ID?name=$NAME"`);
  await compiled(draft);
  assert.deepStrictEqual(
    draft.steps.map(({ id, extract }) => [id, extract]),
    [
      ["post-login", { token: "$.data.token" }],
      ["get-a", { id: "$.data.id", name: "$.name" }],
      ["get-a-one", {}],
    ],
  );
  assert.deepStrictEqual(draft.notes, [
    "line 1: `call()` is not curl and was left out",
    "line 2: left out: its method is `{{ env.ARGUMENT_1 }}`",
  ]);
});

Deno.test("importCurl(): a text that grep or sed takes out of JSON is the member of that name", async () => {
  const draft = draftOf(
    `A=$(curl https://h.example/a | grep -o '"token":"[^"]*"' | head -1 | cut -d'"' -f4)
R=$(curl https://h.example/b)
B=$(echo "$R" | grep -o '"id": *"[^"]*' | cut -d '"' -f 4)
C=$(curl https://h.example/c | sed -n 's/.*"key":"\\([^"]*\\)".*/\\1/p')
D=$(curl https://h.example/d | grep -oE '"n":[0-9]+' | cut -d: -f2)
E=$(curl https://h.example/e | grep -o '"n":[0-9]*' | wc -l)
curl "https://h.example/$A/$B/$C/$D/$E"`,
  );
  await compiled(draft);
  assert.deepStrictEqual(
    draft.steps.map(({ extract }) => extract),
    [
      { a: "$..token" },
      { b: "$..id" },
      { c: "$..key" },
      { d: "$..n" },
      {},
      {},
    ],
  );
  assert.deepStrictEqual(draft.notes, [
    "line 6: E is what another command prints: set it in the environment",
  ]);
});

Deno.test("importCurl(): another command is named once, with its lines", () => {
  const script = Array.from({ length: 7 }, (_, n) => `echo ${n}`)
    .join("\n") + "\nls\nlocal A=1\ncurl https://h.example/$A";
  assert.deepStrictEqual(draftOf(script).notes, [
    "lines 1, 2, 3, 4, 5 and 2 more: `echo` is not curl and was left out",
    "line 8: `ls` is not curl and was left out",
  ]);
});

Deno.test("importCurl(): a header that a variable holds is named, unless the script sets it", () => {
  const header = (script: string) => {
    const { steps: [step], auth, notes } = draftOf(script);
    return [step!.headers, auth, notes];
  };
  assert.deepStrictEqual(header('curl https://h.example/ -H "$LINE"'), [
    {},
    undefined,
    [
      "`-H '{{ env.LINE }}'`: a header without a colon is not sent: write its name into the command",
    ],
  ]);
  assert.deepStrictEqual(
    header('LINE="X-Api-Key: geheim"\ncurl https://h.example/ -H "$LINE"'),
    [
      {},
      { scheme: "api_key", name: "X-Api-Key", value: "{{ env.X_API_KEY }}" },
      [],
    ],
  );
});

Deno.test("importCurl(): a header that curl sends without a value is named", () => {
  const { notes } = draftOf(
    "curl https://h.example/x -H 'Empty;' -H 'Accept:'",
  );
  assert.deepStrictEqual(notes, [
    "`-H 'Empty;'`: a header without a value is not sent",
  ]);
});

Deno.test("importCurl(): a method in small letters is named", () => {
  const { steps, notes } = draftOf(
    "curl -X get https://h.example/x; curl -X PURGE https://h.example/y",
  );
  assert.deepStrictEqual(steps.map(({ call }) => call), ["GET /x", "PURGE /y"]);
  assert.deepStrictEqual(notes, [
    "`-X get`: GET is sent: a flow has methods in capital letters alone",
  ]);
});

Deno.test("importCurl(): a header that the engine writes is named, unless it says the same", () => {
  const { steps } = draftOf(
    `curl https://h.example/a -H 'Host: other.example' -H 'Connection: close' -H 'Expect: 100-continue'
curl https://h.example/b -H 'Host: H.example:443' -H 'Connection: keep-alive' -H 'Content-Length: 3' -H 'TE: trailers'`,
  );
  const left = (name: string) =>
    `Left out header ${name}: the engine writes it.`;
  assert.deepStrictEqual(steps.map(({ lost }) => lost), [
    [left("Host"), left("Connection"), left("Expect")],
    [],
  ]);
});

Deno.test("importCurl(): a file and a URL in place of a command are met with what to write", () => {
  const hintOf = (script: string) => {
    try {
      draftOf(script);
    } catch (error) {
      return (error as { readonly hint?: string }).hint;
    }
  };
  assert.equal(
    hintOf("api/calls.sh"),
    "commands of a file come from standard input: bench import curl - <api/calls.sh",
  );
  assert.equal(
    hintOf("https://h.example/a?b=1"),
    "did you mean 'curl https://h.example/a?b=1'?",
  );
  assert.match(hintOf("echo a.sh")!, /^give one between quotes/);
  assert.match(hintOf("curl")!, /^give one between quotes/);
});

Deno.test("importCurl(): conditions are sent, but for those of a browser's cache", () => {
  const headersOf = (more: string) =>
    draftOf(
      `curl https://h.example/a -H 'If-None-Match: "a"' -H 'If-Modified-Since: Mon, 30 Nov 2026 10:00:00 GMT' ${more}`,
    ).steps.map(({ headers }) => headers);
  assert.deepStrictEqual(headersOf(""), [{
    "If-None-Match": '"a"',
    "If-Modified-Since": "Mon, 30 Nov 2026 10:00:00 GMT",
  }]);
  assert.deepStrictEqual(headersOf("-H 'Sec-Fetch-Mode: cors' -H 'X-A: 1'"), [
    { "X-A": "1" },
  ]);
});

Deno.test("importCurl(): the variable of a loop is its first word, where that is a text", () => {
  const callOf = (words: string) =>
    draftOf(`for id in ${words}\ndo\n  curl https://h.example/a/$id\ndone`)
      .steps.map(({ call }) => call);
  assert.deepStrictEqual(callOf("7 8 9"), ["GET /a/7"]);
  assert.deepStrictEqual(callOf('"ada" bob'), ["GET /a/ada"]);
  for (const words of ["{1..9}", "*.json", "$(seq 1 9)", '"$@"', "$IDS"]) {
    assert.deepStrictEqual(callOf(words), ["GET /a/{{ env.ID }}"], words);
  }
});

Deno.test("importCurl(): a request in a loop or a condition is one step", () => {
  const { steps, notes } = draftOf(
    `for i in 1 2; do curl https://h.example/a/$i; done
if curl https://h.example/b
then { echo "b"; }
else ! curl https://h.example/c
fi`,
  );
  assert.deepStrictEqual(steps.map(({ call }) => call), [
    "GET /a/1",
    "GET /b",
    "GET /c",
  ]);
  const left =
    "was left out: a flow has no loops and conditions, and each request in one is a step";
  assert.deepStrictEqual(notes, [
    `line 1: \`for\` ${left}`,
    `line 2: \`if\` ${left}`,
    "line 3: `echo` is not curl and was left out",
  ]);
});
