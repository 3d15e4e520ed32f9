import { toggle } from "../options/option.ts";
import { CONNECTION, ENV_FILE, STORE } from "../options/shared_options.ts";

/** Decided by the person who starts the server: no tool has a parameter for them. */
export const OF_SERVER = { ...STORE, ...CONNECTION };

export const MCP = {
  allow_load: toggle("load, stress and soak runs too", {
    more:
      "against targets that have `max_vus` and `max_rps`; without it runs are functional",
  }),
  ...ENV_FILE,
  ...OF_SERVER,
};
