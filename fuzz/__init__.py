"""Hostile input, made by machine: every door through which a stranger's bytes come in, and what may go wrong there.

`python -m fuzz` runs all targets. Whatever is not an answer or a `TercetError` is a finding.
"""
