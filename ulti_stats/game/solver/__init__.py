"""The open-card solver: what can be forced when everybody sees all cards and nobody errs."""
