import { ManualClock } from "../../../support/manual_clock.ts";

/** How far time jumps between two turns of the event loop, and how far at most. */
const STEP_MS = 10;
const MOST_MS = 600_000;

/** A clock that jumps, and lets the event loop turn meanwhile: modules load, files are written. */
export class TurningClock extends ManualClock {
  override async drive<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => void (settled = true);
    work.then(end, end);
    const most = this.now() + MOST_MS;
    while (!settled) {
      if (this.now() > most) throw new Error("the work is never done");
      await new Promise((resolve) => setImmediate(resolve));
      await super.drive(this.sleep(STEP_MS));
    }
    return await work;
  }
}
