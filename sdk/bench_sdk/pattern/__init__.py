"""ECMAScript regular expressions: read as V8 reads them, matched by `re`."""
