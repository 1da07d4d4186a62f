"""Headers of every answer: nothing inline, nothing from elsewhere, no framing, no sniffing."""

from flask import Flask, Response, request

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
# CodeMirror writes its theme through constructable style sheets where the browser has them, which the policy allows.
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def secure(app: Flask, https: bool) -> None:
    """Put the headers on every answer; pages are not kept by caches, as they are somebody's own."""

    @app.after_request
    def add(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if https:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response
