"""Answers made visible: tables, charts, and one hand as a log."""
