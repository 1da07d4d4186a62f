"""A platform that others have written: `lti1p3platform`, the library of a learning platform, signs its
launches, gives its tokens and checks what it is sent. Here is only its HTTP server.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from jwcrypto.jwk import JWK
from lti1p3platform.exceptions import LtiException
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.membership import Context
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.response import generate_next_link
from lti1p3platform.service_connector import NamesRoleProvisioningService

CLIENT, DEPLOYMENT, COURSE = "tool-7", "deployment-7", "course-7"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
LAUNCH = "http://localhost/lti/launch"


class Known(LTI1P3PlatformConfAbstract):
    """The one tool that it knows."""

    def init_platform_config(self, **options: Any) -> None:
        self._registration = options["registration"]

    def get_registration_by_params(self, **options: Any) -> Registration:
        return self._registration


class Login(OIDCLoginAbstract):
    """The first step of a launch: where the browser is sent."""

    def set_lti_message_hint(self, **options: Any) -> None:
        self._lti_message_hint = options["hint"]

    def get_redirect(self, url: str) -> str:
        return url


class Launch(LTIAdvantageMessageLaunchAbstract):
    """The second step: the form that the browser sends."""

    def render_launch_form(self, launch_data: dict[str, Any], **options: Any) -> dict[str, Any]:
        return launch_data


class Asked(Request):
    """A request as the library has it."""

    def build_metadata(self, request: Any) -> Any:
        return {"form_data": {}, "content_type": None, "path": "", "json": None, **request}


class Members(NamesRoleProvisioningService):
    """The list of the course's people."""

    people: list[dict[str, Any]]

    def get_member_data_page(
        self, page: int = 1, limit: int | None = None, role: Any = None, since: Any = None
    ) -> Any:
        size = min(limit or 2, 2)
        there = self.people[(page - 1) * size : page * size]
        return {"content": there, "has_next": page * size < len(self.people)}

    def get_context_by_id(self) -> Context:
        return Context(COURSE, "ATT", "Attention")


class OtherPlatform:
    """Its keys, its people, and the scores that it has accepted."""

    def __init__(self) -> None:
        self.people: list[dict[str, Any]] = []
        self.scores: list[dict[str, Any]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        signing = JWK.generate(kty="RSA", size=2048)
        private = signing.export_to_pem(private_key=True, password=None).decode()
        registration = Registration().set_iss(self.issuer).set_client_id(CLIENT)
        registration.set_deployment_id(DEPLOYMENT).set_launch_url(LAUNCH)
        registration.set_deeplink_launch_url(LAUNCH)
        registration.set_oidc_login_url("http://localhost/lti/login")
        registration.set_platform_private_key(private)
        registration.set_platform_public_key(signing.export_to_pem().decode())
        self.registration = registration
        self.tool = Known(registration=registration)

    def words(self) -> list[str]:
        """The words after `lti add NAME`."""
        urls = {f"--{name}-url": f"{self.issuer}/{name}" for name in ("auth", "token", "jwks")}
        words = ["--issuer", self.issuer, "--client-id", CLIENT, "--deployment", DEPLOYMENT]
        return words + [word for pair in urls.items() for word in pair]

    def login(self, person: str) -> str:
        """Where the platform sends the browser first."""
        login = Login(None, self.tool)
        login.set_lti_message_hint(hint="link-7")
        return str(login.initiate_login(person))

    def launch(self, query: dict[str, str]) -> Launch:
        """The answer to what the tool has asked for; the caller says of whom and what."""
        launch = Launch(Asked({"get_data": query}), self.tool)
        launch.set_launch_context_claim(COURSE, context_title="Attention, elsewhere")
        launch.set_resource_link_claim("link-7", title="Week 1")
        launch.set_nrps(f"{self.issuer}/members")
        launch.set_ags(f"{self.issuer}/lines", f"{self.issuer}/lines/1")
        return launch

    def members(self, query: dict[str, str], headers: dict[str, str]) -> tuple[Any, str]:
        """A page of the list, and its header `Link`."""
        numbers = {name: int(value) for name, value in query.items()}
        asked = Asked({"get_data": numbers, "headers": headers, "method": "GET"})
        service = Members(asked, self.tool, f"{self.issuer}/members")
        service.people = self.people
        answer = service.handle_resp(service.handle_get_members)
        following = (answer.result or {}).pop("next", "")
        return answer, generate_next_link(following) if following else ""


def _handler(platform: OtherPlatform) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == "/members":
                query, headers = dict(parse_qsl(parts.query)), dict(self.headers.items())
                answer, link = platform.members(query, headers)
                self._send(answer.code, answer.result, answer.media_type, link)
            else:
                self._send(200, platform.tool.get_jwks())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            try:
                if self.path == "/token":
                    self._send(200, platform.tool.get_access_token(dict(parse_qsl(body))))
                elif self._may_send():
                    platform.scores.append(json.loads(body))
                    self._send(200, {})
                else:
                    self._send(401, {})
            except LtiException as error:
                self._send(400, {"error": str(error)})

        def _may_send(self) -> bool:
            token = self.headers["Authorization"].removeprefix("Bearer ")
            return platform.tool.validate_token(token, [SCORE]) and self.path == "/lines/1/scores"

        def _send(
            self, status: int, value: Any, kind: str = "application/json", link: str = ""
        ) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            if link:
                self.send_header("Link", link)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *words: Any) -> None:
            """Quiet."""

    return Handler


@contextmanager
def running() -> Iterator[OtherPlatform]:
    """A platform that answers; ended with the block."""
    platform = OtherPlatform()
    thread = threading.Thread(target=platform.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield platform
    finally:
        platform.server.shutdown()
        thread.join()
        platform.server.server_close()
