"""Commands that train the weights that ship with the package: see training/README.md."""
