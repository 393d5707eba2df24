"""The report room: answers made visible as tables and charts."""
