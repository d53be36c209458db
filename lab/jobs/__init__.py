"""Many independent pieces of work, on all cores of this machine or on a cluster."""
