"""Who may see a page, and what a page may do.

A viewer answers on the loopback interface alone. Whoever asks must know its token, which stands in the
address that opens it and is kept in a cookie from then on; must have asked for this very host, as a page of
another site that has its name resolve to this machine has not; and may change something from a page of the
viewer only. Pages load nothing but files of the package and run no script that stands in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest
from html import escape
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # none at all would make the origin of forms "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}

TOKEN = "token"

OPENING = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">
<title>moot</title></head><body><p><a href="{address}">Open the viewer</a></p></body></html>
"""


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets through what may pass, to an application on a `port` of this machine."""

    app: ASGIApp
    token: str
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or hands it on; every answer has `HEADERS`, or its own in their place."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused = self._answer(Request(scope))
        await (refused or self.app)(scope, receive, guarded)

    def _answer(self, request: Request) -> Response | None:
        """What is answered in place of the application."""
        host = request.headers.get("host", "")
        if host not in (f"127.0.0.1:{self.port}", f"localhost:{self.port}"):
            return PlainTextResponse(f"This viewer is at http://127.0.0.1:{self.port} alone.\n", 421)
        if request.method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("Only GET, HEAD and POST are answered here.\n", 405)
        given = request.query_params.get(TOKEN)
        if given is not None and _same(given, self.token) and request.method != "POST":
            return self._opening(request)
        if not _same(request.cookies.get(self.cookie, ""), self.token):
            return PlainTextResponse(
                "Open the viewer by the address that `moot view` has printed: it holds the token.\n", 403
            )
        if request.method == "POST" and request.headers.get("origin") != f"http://{host}":
            return PlainTextResponse("This was not sent from a page of the viewer.\n", 403)
        return None

    @property
    def cookie(self) -> str:
        """Cookies do not know ports, so that of each viewer of a machine has a name of its own."""
        return f"moot-{self.port}"

    def _opening(self, request: Request) -> Response:
        """Keeps the token, and goes on to the page itself.

        A page goes on, not a redirect: that would come without the cookie where the link was elsewhere.
        """
        kept = [(name, value) for name, value in parse_qsl(request.url.query) if name != TOKEN]
        path = "/" + request.url.path.lstrip("/")  # "//host" would lead elsewhere
        address = path + (f"?{urlencode(kept)}" if kept else "")
        answer = HTMLResponse(OPENING.format(address=escape(address)))
        answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        return answer


def _same(given: str, token: str) -> bool:
    return compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())
