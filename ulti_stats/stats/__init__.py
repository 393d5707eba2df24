"""The stats room: one question family a file, each answer with its denominator and its interval."""
