"""Values with a form of their own: durations, rates, JSON. Mirrors `lib/values`."""
