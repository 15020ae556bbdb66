"""The tables of the papers, computed again: the paper's figure beside ours."""
