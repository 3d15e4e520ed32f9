"""Python values to IR, shape only. Mirrors `lib/parse` and `lib/source`."""
