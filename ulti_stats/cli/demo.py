"""The demo."""


def run() -> None:
    """Run the demo."""
