"""Work, span and parallelism of call sites: what cilkshadow measures."""
