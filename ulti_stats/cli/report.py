"""Reports."""

import typer

app = typer.Typer()


@app.callback()
def root() -> None:
    """Reports."""
