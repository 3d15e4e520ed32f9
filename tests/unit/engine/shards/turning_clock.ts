import { ManualClock } from "../../../support/manual_clock.ts";

/** How far time jumps between two turns of the event loop, and how far at most. */
const STEP_MS = 10;
const MOST_MS = 600_000;
/** So many times as fast as time itself: a busy machine must not look like a silent peer. */
const FASTEST = 20;

/** A clock that jumps, and lets the event loop turn meanwhile: modules load, files are written. */
export class TurningClock extends ManualClock {
  override async drive<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => void (settled = true);
    work.then(end, end);
    const most = this.now() + MOST_MS;
    const [real, from] = [performance.now(), this.now()];
    while (!settled) {
      if (this.now() > most) throw new Error("the work is never done");
      const ahead = (this.now() - from) / FASTEST - (performance.now() - real);
      await new Promise((resolve) =>
        ahead > 0 ? setTimeout(resolve, ahead) : setImmediate(resolve)
      );
      await super.drive(this.sleep(STEP_MS));
    }
    return await work;
  }
}
