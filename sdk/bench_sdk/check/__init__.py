"""Rules across steps, applied as each step is added. Mirrors `lib/validate`."""
