"""The stroke: what joints are to do, who steers them, and swimming without a grid."""
