"""A learning platform in small: its own key, its addresses on loopback, and what it was sent.

LTI 1.3 as its specification has it: each message is checked against its schema, and answered with
400 and the reason when it is wrong.
"""

import json
import ssl
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from jwcrypto.jwk import JWK

from tests.server.lti import conformance

CLIENT, DEPLOYMENT, CONTEXT = "judge-client", "deployment-1", "context-1"
CLAIM, DEEP, GRADES, NAMES = (
    f"https://purl.imsglobal.org/spec/{name}/claim/"
    for name in ("lti", "lti-dl", "lti-ags", "lti-nrps")
)
PEOPLE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
FORM = """<!doctype html><form method="post" action="{url}"><input name="state" value="{state}">
<input name="id_token" value="{token}"><button>Open</button></form>"""


def key(kid: str = "platform-key") -> JWK:
    """A key pair."""
    return JWK.generate(kty="RSA", size=2048, kid=kid, alg="RS256", use="sig")


class Platform:
    """What it answers is decided by `down`; what it was sent is in `scores`, `returned` and
    `tokens`; and what was wrong with it, in `faults`.
    """

    def __init__(
        self, signing: JWK, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
    ) -> None:
        self.key, self.down = signing, 0
        self.faults: list[str] = []
        self.members: list[dict[str, Any]] = []
        self.page = 2  # members on one page
        self.asked = 0  # pages that were asked for
        self.refusal = 0  # of the list alone
        self.following = ""  # instead of the address of the next page
        self.tool_keys: list[dict[str, Any]] = []
        self.scores: list[dict[str, Any]] = []
        self.returned: list[dict[str, Any]] = []
        self.tokens: dict[str, str] = {}  # and what each opens
        self.person: dict[str, Any] = {}  # who is signed in, when a browser comes to /auth
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.issuer = f"{'https' if tls else 'http'}://{host}:{self.server.server_port}"
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)

    def address(self, path: str) -> str:
        return self.issuer + path

    def registration(self) -> list[str]:
        """The words after `lti add NAME`."""
        urls = {"auth-url": "/auth", "token-url": "/token", "jwks-url": "/jwks"}
        words = ["--issuer", self.issuer, "--client-id", CLIENT, "--deployment", DEPLOYMENT]
        return words + [
            word for name, path in urls.items() for word in (f"--{name}", self.address(path))
        ]

    def claims(self, nonce: str, **person: Any) -> dict[str, Any]:
        """The claims of a launch: `sub`, `name`, `role`, `link`, `assignment`, `context`, `deep`,
        `line` and `names` make the difference.
        """
        moment = int(time.time())
        found: dict[str, Any] = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": person.get("sub", "u1"),
            "name": person.get("name", "Lea Learner"),
            "iat": moment,
            "exp": moment + 300,
            "nonce": nonce,
            f"{CLAIM}version": "1.3.0",
            f"{CLAIM}deployment_id": DEPLOYMENT,
            f"{CLAIM}message_type": "LtiDeepLinkingRequest"
            if person.get("deep")
            else "LtiResourceLinkRequest",
            f"{CLAIM}roles": [ROLE + person.get("role", "Learner")],
            f"{CLAIM}context": {
                "id": person.get("context", CONTEXT),
                "title": "Attention, over there",
            },
            f"{CLAIM}target_link_uri": "http://127.0.0.1/lti/launch",
            f"{NAMES}namesroleservice": {
                "context_memberships_url": self.address(person.get("names", "/members?course=1")),
                "service_versions": ["2.0"],
            },
        }
        if person.get("deep"):
            accepted = {
                "accept_types": ["ltiResourceLink"],
                "accept_presentation_document_targets": ["window"],
            }
            found[f"{DEEP}deep_linking_settings"] = {
                **accepted,
                "deep_link_return_url": self.address("/return"),
                "data": "kept",
            }
            return found
        found[f"{CLAIM}resource_link"] = {"id": person.get("link", "link-1")}
        if "assignment" in person:
            found[f"{CLAIM}custom"] = {"assignment": str(person["assignment"])}
            line = self.address(person.get("line", "/lines/1"))
            found[f"{GRADES}endpoint"] = {
                "scope": [SCORE],
                "lineitems": self.address("/lines"),
                "lineitem": line,
            }
        return found

    def sign(self, claims: Any, signing: JWK | None = None, kid: str = "platform-key") -> str:
        """An id_token."""
        pem = (signing or self.key).export_to_pem(private_key=True, password=None)
        return jwt.encode(claims, pem, algorithm="RS256", headers={"kid": kid})

    def check(self, name: str, message: Any) -> bool:
        """Whether a message is as its schema has it; if not, the reason is kept."""
        fault = conformance.fault(name, message)
        self.faults += [fault] if fault else []
        return not fault

    def members_page(self, first: int) -> tuple[dict[str, Any], str]:
        """A page of the list, and the address of the next one."""
        last = first + self.page
        more = self.address(f"/members?course=1&cursor=Case-{last}")
        container = {
            "id": self.address("/members?course=1"),
            "context": {"id": CONTEXT},
            "members": self.members[first:last],
        }
        return container, self.following or (more if last < len(self.members) else "")

    def read(self, token: str) -> dict[str, Any]:
        """What the tool signed, checked with the keys that it shows."""
        self.check("token-header", jwt.get_unverified_header(token))
        kid = jwt.get_unverified_header(token)["kid"]
        (found,) = [k for k in self.tool_keys if k["kid"] == kid]
        return dict(
            jwt.decode(
                token,
                jwt.PyJWK(found).key,
                algorithms=["RS256"],
                options={"verify_aud": False, "require": ["exp", "iss"]},
            )
        )


def _handler(platform: Platform) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path, query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if path == "/jwks":
                self._json(200, {"keys": [platform.key.export_public(as_dict=True)]})
            elif path == "/members":
                self._members({name: values[0] for name, values in query.items()})
            elif path == "/auth":
                if not self._right(
                    "authentication-request", {name: values[0] for name, values in query.items()}
                ):
                    return
                token = platform.sign(platform.claims(query["nonce"][0], **platform.person))
                self._send(
                    200,
                    FORM.format(url=query["redirect_uri"][0], state=query["state"][0], token=token),
                    "text/html",
                )
            else:
                self._send(200, platform.person.get("page", "a course"), "text/html")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            form = {name: values[0] for name, values in parse_qs(body).items()}
            if self.path == "/return":
                said = platform.read(form["JWT"])
                if self._right("deep-linking-response", said):
                    platform.returned.append(said)
                    self._send(200, "the link is made", "text/html")
            elif platform.down:
                self._json(platform.down, {"error": "down"})
            elif self.path == "/token":
                self._token(form)
            else:
                self._score(body)

        def _right(self, name: str, message: Any) -> bool:
            if not platform.check(name, message):
                self._json(400, {"error": platform.faults[-1]})
                return False
            return True

        def _token(self, form: dict[str, str]) -> None:
            if not self._right("access-token-request", form):
                return
            said = platform.read(form["client_assertion"])
            if not self._right("client-assertion", said):
                return
            if (said["iss"], said["sub"], said["aud"]) != (
                CLIENT,
                CLIENT,
                platform.address("/token"),
            ) or platform.faults:
                self._json(400, {"error": "invalid_client"})
                return
            token = uuid.uuid4().hex
            platform.tokens[token] = form["scope"]
            self._json(
                200,
                {
                    "access_token": token,
                    "token_type": "bearer",
                    "expires_in": 3600,
                    "scope": form["scope"],
                },
            )

        def _allowed(self, scope: str) -> bool:
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            return platform.tokens.get(token) == scope

        def _members(self, query: dict[str, str]) -> None:
            platform.asked += 1
            headers = {name.lower(): value for name, value in self.headers.items()}
            if platform.refusal or not self._allowed(PEOPLE):
                headers = {"Location": platform.address("/jwks")}
                self._send(platform.refusal or 401, "refused", "text/plain", headers)
            elif self._right("memberships-request", {"headers": headers, "query": query}):
                first = int(query.get("cursor", "Case-0").removeprefix("Case-"))
                container, following = platform.members_page(first)
                link = {"Link": f'<{following}>; rel="next"'} if following else {}
                self._send(200, json.dumps(container), headers["accept"], link)

        def _score(self, body: str) -> None:
            kind = self.headers.get("Content-Type") == "application/vnd.ims.lis.v1.score+json"
            if not self._allowed(SCORE) or not kind or not self.path.endswith("/scores"):
                self._json(401, {"error": "refused"})
            elif self._right("score", json.loads(body)):
                platform.scores.append({"path": self.path, **json.loads(body)})
                self._send(204, "", "application/json")

        def _json(self, status: int, value: Any) -> None:
            self._send(status, json.dumps(value), "application/json")

        def _send(
            self, status: int, text: str, kind: str, headers: Mapping[str, str] | None = None
        ) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (headers or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *words: Any) -> None:
            """Quiet."""

    return Handler


@contextmanager
def running(
    signing: JWK, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None
) -> Iterator[Platform]:
    """A platform that answers; ended with the block. What it was sent must have been right."""
    platform = Platform(signing, host, tls)
    thread = threading.Thread(target=platform.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield platform
    finally:
        platform.server.shutdown()
        thread.join()
        platform.server.server_close()
    assert platform.faults == []
