/** How values and times read on the charts. */
export const TEXTS = {
  ms: (v) =>
    v === 0
      ? "0"
      : v < 1
      ? `${+(v * 1000).toPrecision(3)}us`
      : v < 1000
      ? `${+v.toPrecision(3)}ms`
      : `${+(v / 1000).toPrecision(3)}s`,
  share: (v) => `${+(v * 100).toPrecision(3)}%`,
  count: (v) => (+v.toPrecision(4)).toLocaleString("en-US"),
  number: (v) => String(+v.toPrecision(4)),
  rate: (v) =>
    v === 0 ? "0" : `${(+v.toPrecision(3)).toLocaleString("en-US")}/s`,
  bytes: (v) => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    while (v >= 1024 && unit < 4) {
      v /= 1024;
      unit++;
    }
    return `${+v.toPrecision(3)} ${units[unit]}`;
  },
};

/** What the steps of an axis may be, where not every round number is one. */
export const STEPS = {
  count: Array.from(
    { length: 27 },
    (_, i) => [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3),
  ),
  bytes: Array.from({ length: 50 }, (_, i) => 2 ** i),
};

/** As `timeText` of the server: as exact as the number is. */
export const time = (seconds) => {
  const exact = +seconds.toFixed(2);
  if (exact < 60) return `${exact}s`;
  const minutes = Math.floor(exact / 60);
  const parts = [
    [Math.floor(minutes / 60), "h"],
    [minutes % 60, "m"],
    [+(exact - minutes * 60).toFixed(2), "s"],
  ];
  return parts.filter(([count]) => count > 0).map((part) => part.join(""))
    .join("");
};

/** Steps that people read times by. */
export const TIME_STEPS = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400],
];
