"""Motion that leaves the program: a recorder of what is visible, and a writer for every format."""
