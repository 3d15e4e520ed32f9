import { VERSION } from "../../lib/base/values/build.ts";
import { mustBe } from "../options/command.ts";
import { type FlagsOf, own, whole } from "../options/option.ts";
import { CONTRACT, SEED, TARGET } from "../options/shared_options.ts";

/** A text of that form; what it must be is in the refusal of any other. */
function formed(form: RegExp, what: string) {
  return own((text) => {
    if (form.test(text)) return text;
    throw mustBe(what, text);
  });
}

const SMALL = "small letters, digits and `-`";
/** A label of a DNS name; with a letter first, as a Service wants it, and room for the index of a pod. */
const objectName = formed(
  /^[a-z](?:[a-z0-9-]{0,56}[a-z0-9])?$/,
  `a name of ${SMALL}, from a letter on, 58 characters at the most`,
);
const namespace = formed(
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  `a name of ${SMALL}, 63 characters at the most`,
);
const subdomain = formed(
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/,
  `a name of ${SMALL}, with \`.\` between parts, 253 characters at the most`,
);
const quantity = formed(
  /^(?=.*[1-9])\d+(?:\.\d+)?(?:m|[kMGTPE]|[KMGTPE]i)?$/,
  "an amount such as 2, 500m, 512Mi or 1Gi",
);
const image = formed(/^\S+$/, "the name of an image");

export const KUBERNETES = {
  target: TARGET.target,
  shards: whole(1, 9_999)("n", "how many pods", { fallback: "2" }),
  image: image("image", "container image", { fallback: `bench:${VERSION}` }),
  name: objectName("name", "of the objects (default: `bench-` and the flow's)"),
  namespace: namespace("name", "of the objects (default: kubectl's)"),
  secret: subdomain(
    "name",
    "the Secret with the variables the flow names (default: the name of the objects)",
  ),
  claim: subdomain(
    "name",
    "a PersistentVolumeClaim that keeps the run directory",
  ),
  ...SEED,
  ...CONTRACT,
  cpu: quantity("amount", "CPU of a pod", { fallback: "1" }),
  memory: quantity("amount", "memory of a pod", { fallback: "1Gi" }),
};
export type KubernetesFlags = FlagsOf<typeof KUBERNETES>;
