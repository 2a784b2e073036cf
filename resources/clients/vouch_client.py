#!/usr/bin/env python3
"""Signs and sends requests to Vouch from Python 3.9 or later. No packages needed: copy this file.

    python3 vouch_client.py enroll photo1.jpg photo2.png     prints the receipt
    python3 vouch_client.py poll UPLOAD_ID                   prints the progress

Environment: VOUCH_URL (default http://127.0.0.1:4610), VOUCH_USER_ID, VOUCH_SECRET.

A signature is lowercase hex of HMAC-SHA256, keyed with the secret, over
    X-TIMESTAMP, METHOD, path with query, hex(SHA-256 of the raw body)    joined by line feeds.
"""
import hashlib
import hmac
import http.client
import json
import os
import sys
import time
import urllib.parse
import uuid

CHUNK = 1 << 16


class VouchClient:
    def __init__(self, user_id, secret, address="http://127.0.0.1:4610"):
        self._address = urllib.parse.urlsplit(address)
        self._user_id = user_id
        self._secret = secret.encode()
        self._last_timestamp = 0

    def enroll(self, files):
        """Queues 1 to 50 image files; returns status and body. Memory does not grow with their size."""
        boundary = "vouch-" + uuid.uuid4().hex
        # The body is read twice: once for its hash, which goes ahead in a header, and once to be sent.
        digest, length = hashlib.sha256(), 0
        for chunk in _body(files, boundary):
            digest.update(chunk)
            length += len(chunk)
        headers = {
            "Content-Type": "multipart/form-data; boundary=" + boundary,
            "Content-Length": str(length),
        }
        path = "/api/v3/duplicate-detection/faces"
        return self._send("POST", path, digest.hexdigest(), _body(files, boundary), headers)

    def poll(self, upload_id):
        path = "/api/v3/duplicate-detection/uploads/" + urllib.parse.quote(upload_id, safe="")
        return self._send("GET", path, hashlib.sha256().hexdigest())

    def _send(self, method, target, body_hash, body=None, headers=None):
        timestamp = str(self._next_timestamp())
        message = "\n".join([timestamp, method, target, body_hash]).encode()
        signature = hmac.new(self._secret, message, hashlib.sha256).hexdigest()
        secure = self._address.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self._address.hostname, self._address.port, timeout=300)
        try:
            connection.request(method, target, body=body, headers={
                **(headers or {}),
                "X-USER-ID": self._user_id,
                "X-TIMESTAMP": timestamp,
                "X-HMAC-SIGNATURE": signature,
            })
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def _next_timestamp(self):
        """Every signature is accepted once, so two equal requests within a second need two timestamps."""
        self._last_timestamp = max(int(time.time()), self._last_timestamp + 1)
        return self._last_timestamp


def _body(files, boundary):
    for path in files:
        name = os.path.basename(path)
        quoted = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = (
            f"--{boundary}\r\n"
            f'Content-Disposition: form-data; name="images[]"; filename="{quoted}"\r\n\r\n'
        )
        yield head.encode()
        with open(path, "rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
        yield b"\r\n"
    yield f"--{boundary}--\r\n".encode()


def main(arguments):
    user_id, secret = os.environ.get("VOUCH_USER_ID"), os.environ.get("VOUCH_SECRET")
    if not user_id or not secret or len(arguments) < 2 or arguments[0] not in ("enroll", "poll"):
        print(__doc__, file=sys.stderr)
        return 2
    client = VouchClient(user_id, secret, os.environ.get("VOUCH_URL", "http://127.0.0.1:4610"))
    status, body = client.enroll(arguments[1:]) if arguments[0] == "enroll" else client.poll(arguments[1])
    print(json.dumps(body, indent=2))
    return 0 if status < 300 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
