"""Parquet and DuckDB: the Delta table of hands, and the views that analysts query."""
