"""The version of this package, as in the `User-Agent: bench/<version>` field."""

VERSION = "0.1.0"
