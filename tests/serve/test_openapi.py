"""The API does what its description says, whatever is sent."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

for part in ("fastapi", "uvicorn", "python_multipart", "httpx"):
    pytest.importorskip(part, reason="the server's tests need the extras serve and dev: pip install 'tercet[dev]'")

import httpx  # noqa: E402

from tercet.serve import create_app  # noqa: E402
from tests.serve.conftest import DEMO  # noqa: E402
from tests.serve.listening import listening  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # those of schemathesis and what it brings are not ours
    schemathesis = pytest.importorskip(
        "schemathesis", reason="the API's property tests need schemathesis: pip install schemathesis"
    )

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_the_description_names_every_error(client):
    described = client.get("/api/openapi.json").json()
    assert described["info"]["title"] == "tercet"
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            for status, answer in operation["responses"].items():
                if status.startswith("4"):
                    schema = answer["content"]["application/json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Error"}, (path, method, status)
    assert "HTTPValidationError" not in described["components"]["schemas"]


@pytest.fixture
def wide(judge) -> Iterator[str]:
    """A server with the limits that a user gets, which are those of the description."""
    with listening(create_app(judge)) as address:
        yield address


@pytest.mark.api
@pytest.mark.filterwarnings("ignore")
def test_requests_made_from_the_description(wide):
    """No 5xx, no answer that is not described, no answer that does not fit its description."""
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    api = schemathesis.openapi.from_url(f"{wide}/api/openapi.json")
    url = wide
    known = httpx.post(
        f"{url}/api/comparisons",
        files=[
            ("references", ("r", DEMO["reference"])),
            ("translations", ("a", DEMO["careful"])),
            ("translations", ("b", DEMO["hasty"])),
        ],
    ).json()["id"]
    tried = []
    for found in api.get_all_operations():
        operation = found.ok()

        @settings(
            max_examples=12, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
        )
        @schemathesis_given(operation)
        def run(case):
            answer = case.call(base_url=url, timeout=30)
            tried.append((case.method, case.path, answer.status_code))
            assert answer.status_code < 500
            # files of the same number of lines are more than a description can ask for
            excluded = [positive_data_acceptance] if is_upload(case) else []
            case.validate_response(answer, excluded_checks=excluded)
            if "id" in case.path_parameters:  # and of a comparison that there is
                case.path_parameters["id"] = known
                answer = case.call(base_url=url, timeout=30)
                if case.method != "DELETE":
                    assert answer.status_code < 500

        run()
    assert {(method, path) for method, path, _ in tried} >= {("POST", "/api/verdict"), ("POST", "/api/comparisons")}
    assert any(status == 200 for _, path, status in tried if path == "/api/verdict")


def is_upload(case) -> bool:
    return (case.method, case.path) == ("POST", "/api/comparisons")


def schemathesis_given(operation):
    """Cases that fit the description, and cases that do not."""
    from hypothesis import given
    from hypothesis import strategies as st
    from schemathesis import GenerationMode

    return given(
        st.one_of(
            operation.as_strategy(generation_mode=GenerationMode.POSITIVE),
            operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        )
    )
