"""Files, jobs and reports."""

from __future__ import annotations

import gzip
import json
import time

import pytest

from tests.serve.conftest import DEMO

FILES = [
    ("references", ("reference.txt", DEMO["reference"])),
    ("translations", ("careful.txt", DEMO["careful"])),
    ("translations", ("hasty.txt", DEMO["hasty"])),
]


def send(client, *files, **options):
    return client.post("/api/comparisons", files=list(files), **options)


def finished(client, answer) -> dict:
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"/api/comparisons/{answer.json()['id']}"
    until = time.monotonic() + 60
    while (status := client.get(answer.headers["location"]).json())["state"] in ("waiting", "running"):
        assert 0 <= status["progress"] <= 1
        assert time.monotonic() < until
        time.sleep(0.02)
    return status


def test_a_comparison_is_that_of_the_command_line(client, tmp_path):
    from tercet.compare import choose_judge, compare
    from tercet.compare.presentation import headline
    from tercet.compare.report import report
    from tercet.corpus import read

    for name, content in DEMO.items():
        (tmp_path / f"{name}.txt").write_bytes(content)
    corpus = read([tmp_path / "careful.txt", tmp_path / "hasty.txt"], [tmp_path / "reference.txt"])
    judge = choose_judge("joint")
    expected = compare(corpus, judge)

    status = finished(client, send(client, *FILES))
    assert status["state"] == "done"
    assert status["systems"] == ["careful", "hasty"]
    assert status["summary"]["headline"] == headline(expected)
    where = f"/api/comparisons/{status['id']}"
    assert client.get(f"{where}/result").json() == json.loads(json.dumps(expected.as_json()))
    assert "segments" not in client.get(f"{where}/result", params={"segments": False}).json()
    page = client.get(f"{where}/report")
    assert page.text == report(corpus, judge, expected)
    assert "sandbox allow-scripts" in page.headers["content-security-policy"]
    assert "sha256-" in page.headers["content-security-policy"]
    saved = client.get(f"{where}/report", params={"download": True})
    assert saved.headers["content-disposition"] == 'attachment; filename="tercet-report.html"'
    why = client.get(f"{where}/segments/3", params={"pair": ["hasty", "careful"]}).json()
    assert (why["first"], why["second"], why["explanation"]["segment"]) == ("hasty", "careful", 3)
    best = client.get(f"{where}/segments/3").json()
    assert best["first"] == "careful"
    for path, problem in (
        ("segments/21", "there is no segment 21; the corpus has 1 to 20"),
        ("segments/0", "segment: "),
        ("segments/1?pair=careful&pair=x", "there is no system 'x'; there are careful, hasty"),
        ("segments/1?pair=careful", "a pair is two systems, not 1"),
    ):
        answer = client.get(f"{where}/{path}")
        assert answer.status_code == 422
        assert answer.json()["error"].startswith(problem)
    assert client.delete(where).status_code == 204
    for method, path in (("GET", where), ("DELETE", where), ("GET", f"{where}/report"), ("GET", f"{where}/result")):
        answer = client.request(method, path)
        assert answer.status_code == 404
        assert answer.json()["error"].startswith(f"there is no comparison {status['id']!r}")


def test_gzip_and_sources_and_texts_without_a_name(client):
    status = finished(
        client,
        send(
            client,
            ("references", ("r.txt.gz", gzip.compress(DEMO["reference"]))),
            ("translations", (None, DEMO["careful"])),
            ("translations", ("b", DEMO["hasty"])),
            ("source", ("s", DEMO["reference"])),
        ),
    )
    assert status["state"] == "done"
    assert status["systems"] == ["translations-1", "b"]


REFERENCES = ("references", ("r.txt", b"a b c\nd e f\n"))
TWO = [("translations", (name, b"a b\nd e\n")) for name in ("x.txt", "y.txt")]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ([REFERENCES], "there are no translations; send at least one file"),
        (TWO, "there are no references; send at least one file"),
        ([REFERENCES, TWO[0]], "a comparison needs two systems or more"),
        (
            [REFERENCES, TWO[0], ("translations", ("y.txt", b"a\n"))],
            "system 'y' (y.txt) has 1 segments but the references (r.txt) have 2; systems, references and source must",
        ),
        ([REFERENCES, TWO[0], ("translations", ("y.txt", b""))], "y.txt: the file is empty; give a file"),
        (
            [REFERENCES, TWO[0], ("translations", ("y.txt", b"a\nb\xffc\n"))],
            "y.txt:2: invalid UTF-8 (0xFF at byte 3 of the file); convert it to UTF-8",
        ),
        ([REFERENCES, TWO[0], ("translations", ("y", "a\nb\n".encode("utf-16")))], "y: is UTF-16, not UTF-8"),
        ([REFERENCES, TWO[0], ("translations", ("y.gz", b"\x1f\x8b\x08junk"))], "y.gz: cannot be unpacked"),
        (
            [REFERENCES, TWO[0], ("translations", ("y", gzip.compress(b"a" * 10_000_000)))],
            "y: is larger than 0.3 MB",
        ),
        ([REFERENCES, TWO[0], ("translations", ("y", b"PAR1junkPAR1"))], "y: Parquet is not taken here"),
        ([REFERENCES, TWO[0], TWO[0]], "x.txt and x.txt would both be system 'x'; leave one out"),
        ([REFERENCES, TWO[0], ("translations", ("x.out", b"a\nb\n"))], "x.txt and x.out would both be system 'x'"),
        ([REFERENCES, *TWO, ("source", ("s", b"a\nb\n")), ("source", ("t", b"a\nb\n"))], "there are 2 sources"),
        ([REFERENCES, *TWO, ("model", (None, b"/etc/passwd"))], "there is no field 'model'; a comparison takes"),
        ([REFERENCES, *TWO, ("source", ("s", b"a " * 1500 + b"\nb\n"))], "the source: segment 1 has 2,999 characters"),
        (
            [("references", ("r", b"a\n" * 400)), *(("translations", (name, b"a\n" * 400)) for name in "abc")],
            "400 segments of 3 systems make 1,200 verdicts, more than the 500 taken here; use tercet compare",
        ),
        ([REFERENCES, *(("translations", (n, b"a\nb\n")) for n in "abcdefg")], "7 systems are more than the 6 taken"),
        ([REFERENCES, TWO[0], ("translations", ("y.jsonl", b"{\n"))], "y.jsonl:1: "),
        ([REFERENCES, TWO[0], ("translations", ("y.xml", b"<dataset>"))], "y.xml"),
    ],
)
def test_bad_files_are_one_line(client, files, problem):
    answer = send(client, *files)
    assert answer.status_code == 422
    assert list(answer.json()) == ["error"]
    assert answer.json()["error"].startswith(problem)
    assert client.get("/api/health").json()["comparisons"]["waiting"] == 0


@pytest.mark.parametrize(
    "name", ["-", "../../etc/passwd", "/etc/passwd", "C:\\x\\passwd", "..", "a\nb", "\u202etxt", "x" * 3000]
)
def test_the_name_of_a_file_is_never_a_path(client, name):
    answer = send(client, REFERENCES, TWO[0], ("translations", (name, b"a b\nd e\n")))
    assert answer.status_code == 202
    (system,) = set(answer.json()["systems"]) - {"x"}
    assert system in ("translations-2", "passwd", "a%0Ab", "\ufffdtxt") or (len(system) <= 120 and "…" in system)


def test_bodies_that_are_not_files(client):
    for kind, body, status, problem in (
        ("application/json", b"{}", 415, "files are taken as multipart/form-data"),
        ("multipart/form-data", b"", 415, "files are taken as multipart/form-data"),
        ("multipart/form-data; boundary=x", b"", 422, "the body ends before its last boundary"),
        ("multipart/form-data; boundary=x", b"junk", 422, "the body is not multipart/form-data: "),
        (
            "multipart/form-data; boundary=x",
            b'--x\r\nContent-Disposition: form-data; name="references"; filename="r"\r\n\r\na',
            422,
            "the body ends before its last boundary",
        ),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\nContent-Disposition: " + b"a" * 4050 + b"\r\n\r\na\r\n--x--",
            422,
            "the header of a file is too long",
        ),
        (
            "multipart/form-data; boundary=x",
            b"--x\r\n\r\n\r\n" * 300 + b"--x--",
            422,
            "there are more than 200 files",
        ),
    ):
        answer = client.post("/api/comparisons", content=body, headers={"content-type": kind})
        assert (answer.status_code, answer.json()["error"][: len(problem)]) == (status, problem)
