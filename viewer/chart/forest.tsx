import type { ComparedFigure } from "../../lib/results/comparison/comparison.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { coordinate } from "./frame.tsx";

const WIDTH = 240;
const HEIGHT = 14;
/** The axis goes at least so many margins to either side, and to no more than a doubling. */
const MARGINS = 3;
const MOST = Math.log(2);

/** How far a change lies from none: of ratios their logarithm, so that half and double are as far. */
function effectOf(unit: ComparedFigure["unit"], change: number): number {
  return unit === "share" ? change : Math.log(Math.max(1 + change, 1e-9));
}

/** The figures in order: those that surely changed first, then those with the larger effect. */
export function byEffect(
  figures: readonly ComparedFigure[],
): ComparedFigure[] {
  const sure = ({ verdict }: ComparedFigure) =>
    Number(verdict === "worse" || verdict === "better");
  const size = ({ unit, change }: ComparedFigure) =>
    change === null ? -1 : Math.abs(effectOf(unit, change.value));
  return figures.toSorted((a, b) => sure(b) - sure(a) || size(b) - size(a));
}

/** Draws the interval of a figure's change against the margin, all on one axis. */
export function forestOf(
  figures: readonly ComparedFigure[],
  margin: number,
): (figure: ComparedFigure) => Markup | undefined {
  const effects = figures.flatMap(({ unit, change }) =>
    change === null ? [] : [Math.abs(effectOf(unit, change.value)) * 1.25]
  );
  const reach = Math.min(MOST, Math.max(margin * MARGINS, ...effects));
  const x = (effect: number) =>
    coordinate(
      (Math.max(-1, Math.min(1, effect / reach)) + 1) / 2 * (WIDTH - 8) + 4,
    );
  const band = (unit: ComparedFigure["unit"]) =>
    `M${x(effectOf(unit, -margin))} 0H${x(effectOf(unit, margin))}V${HEIGHT}H${
      x(effectOf(unit, -margin))
    }z`;
  return ({ unit, change, verdict }) => {
    if (change === null) return;
    const [low, value, high] = [change.low, change.value, change.high]
      .map((each) => effectOf(unit, each)) as [number, number, number];
    // An interval that goes on beyond the axis has no end there.
    const end = (effect: number) =>
      Math.abs(effect) > reach ? "" : `M${x(effect)} 3V11`;
    const at = x(value);
    const back = Math.sign(value) * 6;
    // An arrow where the value itself lies beyond the axis.
    const shape = Math.abs(value) > reach
      ? `M${coordinate(Number(at) - back)} 2L${at} 7L${
        coordinate(Number(at) - back)
      } 12`
      : `M${at} 2V12`;
    return (
      <svg
        class={`forest ${verdict}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="track" fill="#8883" d={band(unit)} />
        <path class="zero" stroke="#888" d={`M${x(0)} 0V${HEIGHT}`} />
        <path
          class="interval"
          fill="none"
          stroke="#555"
          d={`M${x(low)} 7H${x(high)}${end(low)}${end(high)}`}
        />
        <path class="value" fill="none" stroke="#555" d={shape} />
      </svg>
    );
  };
}
