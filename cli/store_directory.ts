/** Where runs are kept: `--store`, else `BENCH_STORE`, else `.bench/runs`. */
export function storeDirectory(flag: string | undefined): string {
  return flag || Deno.env.get("BENCH_STORE") || ".bench/runs";
}
