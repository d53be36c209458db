"""One idea per file. Each runs on its own (``python -m paludarium.examples.NAME``) and checks its own claim."""
