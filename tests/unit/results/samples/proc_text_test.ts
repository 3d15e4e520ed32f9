import { deepStrictEqual, equal, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  coreWaitMs,
  cpuSeconds,
  cpuTime,
  listeningInodes,
  load1,
  memory,
  openFiles,
  traffic,
} from "../../../../lib/results/samples/proc_text.ts";

const NET_HEAD = `Inter-|   Receive                            |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
`;

const CPU: readonly [rule: string, text: string, expected: unknown][] = [
  [
    "Linux 6.18: steal counts, idle and iowait do not",
    "cpu  115413 10 39857 774214 1497 5 8630 298 0 0\ncpu0 48100 0 18005 399603 161 0 3653 139 0 0\ncpu1 67312 0 21851 374611 1335 0 4977 159 0 0\nintr 2152324 0 0\nctxt 4613042\n",
    { busySeconds: 1_642.13, cores: 2 },
  ],
  [
    "guest time is not counted twice",
    "cpu  500 0 0 100 0 0 0 0 400 50\ncpu0 500 0 0 100 0 0 0 0 400 50\n",
    { busySeconds: 5, cores: 1 },
  ],
  [
    "Linux 2.6.9: no steal",
    "cpu  200 100 100 9000 50 10 40\ncpu0 200 100 100 9000 50 10 40\n",
    { busySeconds: 4.5, cores: 1 },
  ],
  [
    "Linux 2.4: four columns",
    "cpu  200 100 100 9000\ncpu0 200 100 100 9000\npage 1 2\n",
    { busySeconds: 4, cores: 1 },
  ],
  [
    "a core that was taken offline is not counted",
    "cpu  8 0 0 1 0 0 0 0 0 0\ncpu0 4 0 0 1 0 0 0 0 0 0\ncpu3 4 0 0 1 0 0 0 0 0 0\n",
    { busySeconds: 0.08, cores: 2 },
  ],
  [
    "a sandbox that counts nothing",
    "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nintr 0\n",
    { busySeconds: 0, cores: 1 },
  ],
  ["no line of all cores", "cpu0 1 2 3 4\n", undefined],
  ["no line of a core", "cpu  1 2 3 4 5 6 7 8 9 10\n", undefined],
  ["too few columns", "cpu  1 2 3\ncpu0 1 2 3\n", undefined],
  ["a word for a number", "cpu  1 x 3 4\ncpu0 1 2 3 4\n", undefined],
  ["an empty file", "", undefined],
];

for (const [rule, text, expected] of CPU) {
  Deno.test(`cpuTime: ${rule}`, () => deepStrictEqual(cpuTime(text), expected));
}

const MEMORY: readonly [rule: string, text: string, expected: unknown][] = [
  [
    "used is total minus available",
    "MemTotal:       24684084 kB\nMemFree:        23369404 kB\nMemAvailable:   24077660 kB\n",
    { used: 606_424 * 1_024, total: 24_684_084 * 1_024 },
  ],
  [
    "Linux 2.6 has no MemAvailable: free, buffers and cache are available",
    "MemTotal:  1000 kB\nMemFree:  300 kB\nBuffers:  50 kB\nCached:  150 kB\nSwapCached:  7 kB\n",
    { used: 500 * 1_024, total: 1_000 * 1_024 },
  ],
  [
    "more available than there is means nothing used",
    "MemTotal: 10 kB\nMemFree: 1 kB\nMemAvailable: 11 kB\n",
    { used: 0, total: 10_240 },
  ],
  ["no total", "MemFree: 3 kB\n", undefined],
  ["a total of zero", "MemTotal: 0 kB\nMemFree: 0 kB\n", undefined],
  ["nothing free is given", "MemTotal: 10 kB\n", undefined],
];

for (const [rule, text, expected] of MEMORY) {
  Deno.test(`memory: ${rule}`, () => deepStrictEqual(memory(text), expected));
}

const TRAFFIC: readonly [rule: string, text: string, expected: unknown][] = [
  [
    "loopback is left out, the rest is added up",
    `${NET_HEAD}    lo: 814 9 0 1301 0 0 0 0 814 9 0 0 0 0 0 0
  eth0: 188356971 6193 0 0 0 0 0 0 289116 3865 0 0 0 0 0 0
 wlan0:      1000   10 0 0 0 0 0 0   2000   20 0 0 0 0 0 0
`,
    { received: 188_357_971, sent: 291_116 },
  ],
  [
    "old kernels set the number against the colon",
    `${NET_HEAD}  eth0:4294967295 1 0 0 0 0 0 0 77 1 0 0 0 0 0 0\n`,
    { received: 4_294_967_295, sent: 77 },
  ],
  [
    "an alias has a colon in its name",
    `${NET_HEAD}eth0:1: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n`,
    { received: 5, sent: 6 },
  ],
  [
    "an interface with loopback in its name counts",
    `${NET_HEAD} lo0: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n`,
    { received: 5, sent: 6 },
  ],
  [
    "a container with loopback alone moves nothing",
    `${NET_HEAD}    lo: 5 1 0 0 0 0 0 0 6 1 0 0 0 0 0 0\n`,
    { received: 0, sent: 0 },
  ],
  ["a table without interfaces", NET_HEAD, undefined],
  ["an empty file", "", undefined],
];

for (const [rule, text, expected] of TRAFFIC) {
  Deno.test(`traffic: ${rule}`, () => deepStrictEqual(traffic(text), expected));
}

Deno.test("openFiles: allocated ones, less those an old kernel keeps free", () => {
  strictEqual(openFiles("697\t0\t2466170\n"), 697);
  strictEqual(openFiles("3391\t969\t52427\n"), 2_422);
  strictEqual(openFiles("1\t2\t3\n"), undefined);
  strictEqual(openFiles("many\n"), undefined);
  strictEqual(openFiles(""), undefined);
});

Deno.test("load1: the first of three averages", () => {
  strictEqual(load1("1.00 0.76 0.80 2/104 2079\n"), 1);
  strictEqual(load1("12.34 0 0\n"), 12.34);
  strictEqual(load1("nan 0.1 0.1 1/2 3\n"), undefined);
  strictEqual(load1(""), undefined);
});

Deno.test("readers of /proc: any text is understood or refused, never half", () => {
  const files = fc.oneof(
    fc.string(),
    fc.stringMatching(/^(cpu\d? ?[ \dx]*\n){0,4}$/),
    fc.stringMatching(
      /^((MemTotal|MemFree|MemAvailable): *\d{0,9} kB\n){0,4}$/,
    ),
    fc.stringMatching(/^( *(lo|eth0): *[ \dx]*\n){0,4}$/),
  );
  fc.assert(fc.property(files, (text) => {
    const read = [
      ...Object.values(cpuTime(text) ?? {}),
      ...Object.values(memory(text) ?? {}),
      ...Object.values(traffic(text) ?? {}),
      openFiles(text) ?? 0,
      load1(text) ?? 0,
    ];
    for (const value of read) {
      strictEqual(Number.isFinite(value) && value >= 0, true, `${value}`);
    }
  }));
});

Deno.test("coreWaitMs is the second number of schedstat, in milliseconds", () => {
  equal(coreWaitMs(() => "238778722 826562756 162\n"), 826.562756);
  equal(coreWaitMs(() => "0 0 0\n"), 0);
});

Deno.test("coreWaitMs: nothing is read from a kernel without scheduling statistics", () => {
  for (const text of ["", "\n", "12 34", "a b c", "1 2 3 4"]) {
    equal(coreWaitMs(() => text), undefined, JSON.stringify(text));
  }
});

Deno.test("cpuSeconds adds user and system time, whatever the program is called", () => {
  const rest = "S 1 42 42 0 -1 4194304 100 0 0 0 250 150 9 9 20 0 3 0 5000 1 1";
  for (const name of ["(deno)", "(a) b (c)", "(x y)"]) {
    equal(cpuSeconds(`42 ${name} ${rest}\n`), 4);
  }
  equal(cpuSeconds(""), undefined);
  equal(cpuSeconds("42 (deno) S 1"), undefined);
});

Deno.test("listeningInodes finds who listens on a port, on every address", () => {
  const tcp =
    `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:223D 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11111 1 0000 100 0 0 10 0
   1: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 22222 1 0000 100 0 0 10 0
   2: 0100007F:223D 0100007F:A1B2 01 00000000:00000000 00:00000000 00000000     0        0 33333 1 0000 20 4 30 10 -1
`;
  const tcp6 =
    `  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:223D 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 44444 1 0000 100 0 0 10 0
`;
  deepStrictEqual(listeningInodes(tcp, new Set([8765])), ["11111"]);
  deepStrictEqual(listeningInodes(tcp, new Set([80, 8765])), [
    "11111",
    "22222",
  ]);
  deepStrictEqual(listeningInodes(tcp6, new Set([8765])), ["44444"]);
  deepStrictEqual(listeningInodes(tcp, new Set([9])), []);
  deepStrictEqual(listeningInodes("", new Set([80])), []);
});
