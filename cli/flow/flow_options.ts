import { text, toggle } from "../options/option.ts";
import { DIAGNOSTICS, MODE, TARGET } from "../options/shared_options.ts";

export const VALIDATE = {
  target: text("name|file", "also check against this target"),
  ...MODE,
  ...DIAGNOSTICS,
};

export const PLAN = {
  ...TARGET,
  ...MODE,
  json: toggle("print the plan as JSON"),
};
