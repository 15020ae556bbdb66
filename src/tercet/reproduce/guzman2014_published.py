"""Tables 1 and 2 of Guzmán et al. (2014): Kendall's tau × 100 on WMT12, as printed, the last column over all pairs."""

from __future__ import annotations

COLUMNS = ("cs-en", "de-en", "es-en", "fr-en", "all")

SIMILARITY = {
    "SYN": (16.9, 18.8, 20.3, 22.2, 19.5),
    "DIS": (13.0, 17.4, 18.8, 16.9, 16.5),
    "DIS+POS": (13.5, 18.6, 19.0, 17.8, 17.2),
    "DIS+SYN": (15.6, 20.5, 20.6, 20.3, 19.2),
}
LEARNED = {
    "SYN": (19.0, 24.4, 19.8, 15.8, 19.8),
    "DIS": (17.6, 23.5, 16.6, 16.0, 18.4),
    "DIS+POS": (16.7, 23.2, 20.2, 13.3, 18.3),
    "DIS+SYN": (21.0, 25.1, 24.0, 22.3, 23.1),
}
CROSS_LANGUAGE = {
    "cs-en": (21.0, 20.4, 21.7, 20.4, 20.9),
    "de-en": (19.6, 25.1, 20.3, 20.2, 21.3),
    "es-en": (21.8, 20.4, 24.0, 22.3, 22.1),
    "fr-en": (20.3, 21.8, 22.4, 22.3, 21.7),
    "all": (23.1, 25.8, 22.6, 23.2, 23.7),
}
