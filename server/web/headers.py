"""Headers of every answer: nothing inline, nothing from elsewhere, no framing, no sniffing.

A learning platform opens these pages in a tab of their own, so no page may be framed. The one form
that goes elsewhere is the answer to a deep link; `sending_to` makes its policy.
"""

import secrets

from flask import Flask, Response, g, request

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'{nonce}",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "form-action 'self'{target}",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def sending_to(origin: str) -> str:
    """The policy of a page whose form goes to another origin."""
    return POLICY.format(nonce="", target=f" {origin}")


def style_nonce() -> str:
    """Of this answer: the editor writes its theme into a style element, which carries this
    (CodeMirror's `EditorView.cspNonce`).
    """
    if "style_nonce" not in g:
        g.style_nonce = secrets.token_urlsafe(16)
    return str(g.style_nonce)


def fixed(https: bool) -> dict[str, str]:
    """The headers that are the same in every answer, for what Flask does not answer itself."""
    policy = POLICY.format(nonce="", target="")
    strict = {"Strict-Transport-Security": "max-age=31536000"} if https else {}
    return {"Content-Security-Policy": policy, **HEADERS, **strict}


def secure(app: Flask, https: bool) -> None:
    """Put the headers on every answer; pages are not kept by caches, as they are somebody's own."""
    always = fixed(https)

    @app.after_request
    def add(response: Response) -> Response:
        """What an answer does not say itself."""
        if "style_nonce" in g:
            policy = POLICY.format(nonce=f" 'nonce-{g.style_nonce}'", target="")
            response.headers.setdefault("Content-Security-Policy", policy)
        for name, value in always.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response
