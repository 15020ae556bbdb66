"""The sentence encoder taught by judges: `python -m training.encoder RECIPE --data DIR`."""
