import { VERSION } from "../../lib/base/values/build.ts";
import { type FlagsOf, text, whole } from "../options/option.ts";
import { CONTRACT, SEED, TARGET } from "../options/shared_options.ts";

export const KUBERNETES = {
  target: TARGET.target,
  shards: whole(1, 9_999)("n", "how many pods", { fallback: "2" }),
  image: text("image", "container image", { fallback: `bench:${VERSION}` }),
  name: text("name", "of the objects (default: the flow's)"),
  namespace: text("name", "of the objects (default: kubectl's)"),
  secret: text(
    "name",
    "the Secret with the variables the flow names (default: the name of the objects)",
  ),
  claim: text("name", "a PersistentVolumeClaim that keeps the run directory"),
  ...SEED,
  ...CONTRACT,
  cpu: text("amount", "CPU of a pod", { fallback: "1" }),
  memory: text("amount", "memory of a pod", { fallback: "1Gi" }),
};
export type KubernetesFlags = FlagsOf<typeof KUBERNETES>;
