/** A click on the heat map leads to the traces of that time and latency. */
export function startHeatMaps(root) {
  for (const figure of root.querySelectorAll(".heat[data-traces]")) {
    const { traces, lowest, rows, from, width, columns } = figure.dataset;
    if (!traces) continue;
    const area = figure.querySelector("svg.area");
    const bucketMs = (bucket) => 0.01 * 2 ** (bucket / 4);
    area.addEventListener("click", (event) => {
      const box = area.getBoundingClientRect();
      const share = (value) => Math.min(0.999999, Math.max(0, value));
      const column = Math.floor(
        share((event.clientX - box.left) / box.width) * columns,
      );
      const row = Math.floor(
        share((box.bottom - event.clientY) / box.height) * rows,
      );
      const url = new URL(traces, location.href);
      const t0 = +from + column * +width;
      const set = (name, value) => url.searchParams.set(name, String(value));
      set("t0", t0);
      set("t1", t0 + +width);
      set("min", +bucketMs(+lowest + row).toPrecision(3));
      location.assign(url);
    });
  }
}
