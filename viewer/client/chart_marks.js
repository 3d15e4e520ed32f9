/** What is drawn on a chart besides its lines. */

/** While users were added, behind everything. */
export function shades(u, data, colour) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.fillStyle = colour("shade");
  const place = (at) =>
    Math.min(
      bbox.left + bbox.width,
      Math.max(bbox.left, u.valToPos(at, "x", true)),
    );
  for (const { from, to } of data.shades) {
    const left = place(from);
    ctx.fillRect(left, bbox.top, place(to) - left, bbox.height);
  }
  ctx.restore();
}

/** Thresholds across, the knee down. */
export function rules(u, data, colour) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.lineWidth = devicePixelRatio * 1.5;
  ctx.setLineDash([1.5 * devicePixelRatio, 3 * devicePixelRatio]);
  const line = (x1, y1, x2, y2) => {
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  };
  ctx.strokeStyle = colour("text");
  for (const { at } of data.limits) {
    const y = u.valToPos(at, "y", true);
    line(bbox.left, y, bbox.left + bbox.width, y);
  }
  ctx.strokeStyle = colour("warn");
  ctx.setLineDash([]);
  for (const { at } of data.marks) {
    const x = u.valToPos(at, "x", true);
    if (x >= bbox.left && x <= bbox.left + bbox.width) {
      line(x, bbox.top, x, bbox.top + bbox.height);
    }
  }
  ctx.restore();
}
