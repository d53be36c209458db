"""Where pictures go: windows, files and clips, and the lines and sprites drawn over them."""
