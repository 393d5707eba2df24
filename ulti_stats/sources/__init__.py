"""Where hand histories come from: files of other programs, and simulation."""
