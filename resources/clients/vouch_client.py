#!/usr/bin/env python3
"""Sends requests to Vouch from Python 3.9 or later. No packages needed: copy this file.

    python3 vouch_client.py enroll photo1.jpg FOLDER       queues photos in batches of 50; prints each receipt
    python3 vouch_client.py poll UPLOAD_ID                 prints the progress
    python3 vouch_client.py verify FLOW SELFIE             creates, gives the selfie, finalises; prints the outcome
    python3 vouch_client.py face IMAGE1 IMAGE2             compares two faces
    python3 vouch_client.py signature IMAGE1 IMAGE2        compares two signatures (token only)

Environment: VOUCH_URL (default http://127.0.0.1:4610), and either VOUCH_TOKEN, or VOUCH_USER_ID and VOUCH_SECRET of a
signing key (VOUCH_PROFILE=v2 for a key of profile v2).

A signature is lowercase hex of HMAC-SHA256, keyed with the secret, over lines joined by line feeds:
    v1: X-TIMESTAMP, METHOD, path with query, hex(SHA-256 of the raw body)
    v2: the same, then Content-Type and Idempotency-Key (empty where absent); the hash is sent as X-CONTENT-SHA256
"""
import base64
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
    def __init__(self, user_id=None, secret=None, address="http://127.0.0.1:4610", token=None, profile="v1"):
        self._address = urllib.parse.urlsplit(address)
        self._user_id = user_id
        self._secret = (secret or "").encode()
        self._token = token
        self._profile = profile
        self._last_timestamp = 0

    def enroll(self, files):
        """Queues image files, at most as many as the setting maxBatchImages allows; returns status and body. Memory does not grow with their size."""
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

    def verify(self, flow, selfie):
        """Creates a verification with a Trust Flow, gives it the selfie and finalises it; stops at the first refusal."""
        status, body = self._post("/api/v1/verification/create-verification", {"template_id": flow})
        if status != 200:
            return status, body
        names = {"template_id": flow, "verification_id": body["verification"]["id"]}
        status, body = self._post("/api/v1/verification/biometricsverification", {**names, "image": _data_uri(selfie)})
        if status != 200:
            return status, body
        return self._post("/api/v1/verification/finalize-verification", names)

    def compare_faces(self, image1, image2, reference=None):
        return self._compare("/api/v1/verification/biometricsfacecompare", image1, image2, reference)

    def compare_signatures(self, image1, image2, reference=None):
        """Takes a token only: the service refuses signed requests here."""
        return self._compare("/api/v1/verification/signature/match", image1, image2, reference)

    def _compare(self, path, image1, image2, reference):
        return self._post(path, {
            "image1": _data_uri(image1),
            "image2": _data_uri(image2),
            "template_id": "client",
            "verification_id": reference or str(uuid.uuid4()),
        })

    def _post(self, path, fields):
        body = json.dumps(fields).encode()
        headers = {"Content-Type": "application/json"}
        return self._send("POST", path, hashlib.sha256(body).hexdigest(), body, headers)

    def _send(self, method, target, body_hash, body=None, headers=None):
        secure = self._address.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self._address.hostname, self._address.port, timeout=300)
        try:
            connection.request(method, target, body=body, headers={
                **(headers or {}),
                **self._credential(method, target, body_hash, (headers or {}).get("Content-Type", "")),
            })
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()

    def _credential(self, method, target, body_hash, content_type):
        if self._token:
            return {"Authorization": "Bearer " + self._token}
        timestamp = str(self._next_timestamp())
        lines = [timestamp, method, target, body_hash]
        headers = {"X-USER-ID": self._user_id, "X-TIMESTAMP": timestamp}
        if self._profile == "v2":
            lines += [content_type, ""]
            headers["X-CONTENT-SHA256"] = body_hash
        message = "\n".join(lines).encode()
        headers["X-HMAC-SIGNATURE"] = hmac.new(self._secret, message, hashlib.sha256).hexdigest()
        return headers

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


def _data_uri(path):
    with open(path, "rb") as file:
        return "data:image/jpeg;base64," + base64.b64encode(file.read()).decode()


def _batches(paths, most=50):
    """The files of the arguments; a folder stands for the JPEG and PNG files in it and below it."""
    files = []
    for path in paths:
        if not os.path.isdir(path):
            files.append(path)
            continue
        for folder, _, names in sorted(os.walk(path)):
            files += [os.path.join(folder, name) for name in sorted(names) if name.lower().endswith((".jpg", ".jpeg", ".png"))]
    return [files[start:start + most] for start in range(0, len(files), most)]


def main(arguments):
    env = os.environ
    token, user_id, secret = env.get("VOUCH_TOKEN"), env.get("VOUCH_USER_ID"), env.get("VOUCH_SECRET")
    wanted = {"enroll": None, "poll": 1, "verify": 2, "face": 2, "signature": 2}
    command, rest = (arguments[0] if arguments else ""), arguments[1:]
    known = command in wanted and rest and wanted[command] in (None, len(rest))
    if not known or not (token or (user_id and secret)):
        print(__doc__, file=sys.stderr)
        return 2
    address = env.get("VOUCH_URL", "http://127.0.0.1:4610")
    client = VouchClient(user_id, secret, address, token, env.get("VOUCH_PROFILE", "v1"))
    if command == "enroll":
        calls = [lambda files=files: client.enroll(files) for files in _batches(rest)]
    else:
        call = {"poll": client.poll, "verify": client.verify, "face": client.compare_faces, "signature": client.compare_signatures}[command]
        calls = [lambda: call(*rest)]
    for each in calls:
        status, body = each()
        print(json.dumps(body, indent=2))
        if status >= 300:
            return 1
    return 0 if calls else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
