"""Language data too big to ship: install it once by name, check it, find it, without a network from then on.

>>> from tercet import resources
>>> resources.install("meteor")
>>> resources.find("meteor", "meteor.tables")
"""

from tercet.resources.cache import Manifest, Status, damage, find, fingerprint, remedy, root, status, verify
from tercet.resources.entry import Resource
from tercet.resources.installation import install, remove
from tercet.resources.table import RESOURCES, named

__all__ = [
    "RESOURCES",
    "Manifest",
    "Resource",
    "Status",
    "damage",
    "find",
    "fingerprint",
    "install",
    "named",
    "remedy",
    "remove",
    "root",
    "status",
    "verify",
]
