import { ManualClock } from "../../../support/manual_clock.ts";

/** How far time jumps between two turns of the event loop, and how far at most. */
const STEP_MS = 10;
const MOST_MS = 600_000;
/** From here on the turns take their time: on a busy machine a file takes many of them. */
const QUICK_MS = 50_000;

/** A clock that jumps, and lets the event loop turn meanwhile: modules load, files are written. */
export class TurningClock extends ManualClock {
  override async drive<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => void (settled = true);
    work.then(end, end);
    const start = this.now();
    while (!settled) {
      const passed = this.now() - start;
      if (passed > MOST_MS) throw new Error("the work is never done");
      await new Promise<void>((resolve) =>
        passed < QUICK_MS ? setImmediate(resolve) : setTimeout(resolve, 1)
      );
      await super.drive(this.sleep(STEP_MS));
    }
    return await work;
  }
}
