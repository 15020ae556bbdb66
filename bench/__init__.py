"""tercet beside its peers: `python -m bench` prints ratios, each measured in one run on the same segments."""
