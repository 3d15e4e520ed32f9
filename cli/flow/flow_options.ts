import { text, toggle } from "../options/option.ts";
import {
  DIAGNOSTICS,
  ENV_FILE,
  LOAD,
  MODE,
  TARGET,
} from "../options/shared_options.ts";

export const VALIDATE = {
  target: text("name|file", "also check against this target"),
  ...ENV_FILE,
  ...MODE,
  ...LOAD,
  ...DIAGNOSTICS,
};

export const PLAN = {
  ...TARGET,
  ...MODE,
  ...LOAD,
  json: toggle("print the plan as JSON"),
};
