"""What Google and Apple answer, as they document it. No socket: a request comes in as a value and an answer goes out as one."""

import base64
import json
import secrets
import time
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

import keys

FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


class Refused(Exception):
    """The caller is not who they say."""


def decoded(part):
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def parts(token):
    head, claims, signature = token.split(".")
    if "=" in token:
        raise Refused("padding")
    return json.loads(decoded(head)), json.loads(decoded(claims)), decoded(signature), f"{head}.{claims}".encode()


class Services:
    def __init__(self, port, account_key, apns_key):
        self.port, self.account_key, self.apns_key = port, account_key, apns_key
        self.clock = None  # where the tests' own stands, in seconds; the machine's where None
        self.access = {}  # tokens and when they end
        self.accepted = []
        self.ids = set()  # of what was accepted
        self.token_requests = 0
        self.provider_tokens = []

    @property
    def now(self):
        return time.time() if self.clock is None else self.clock

    def answer(self, fields, body):
        """The status, fields and JSON for a request that no script is for."""
        path = fields[":path"]
        if path == "/token":
            return self.give_token(fields, body)
        if path.startswith("/v1/projects/"):
            return self.fcm(path, fields, body)
        if path.startswith("/3/device/"):
            return self.apns(path.removeprefix("/3/device/"), fields, body)
        return 404, {}, {"reason": "BadPath"}

    # Google: OAuth 2.0 for server to server applications; RFC 7523.

    def give_token(self, fields, body):
        self.token_requests += 1
        try:
            form = dict(urllib.parse.parse_qsl(body.decode(), strict_parsing=True))
            if form["grant_type"] != "urn:ietf:params:oauth:grant-type:jwt-bearer":
                return 400, {}, {"error": "unsupported_grant_type"}
            head, claims, signature, signed = parts(form["assertion"])
            self.account_key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())
            good = (
                (head["alg"], head["kid"], head["typ"]) == ("RS256", "k1", "JWT")
                and claims["iss"] == keys.EMAIL
                and claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging"
                and claims["aud"] == f"https://localhost:{self.port}/token"
                and 0 < claims["exp"] - claims["iat"] <= 3600
                and abs(claims["iat"] - self.now) < 300
            )
            if not good:
                raise Refused("claims")
        except (InvalidSignature, KeyError, ValueError, Refused):
            return 400, {}, {"error": "invalid_grant", "error_description": "Invalid JWT Signature."}
        token = "ya29." + secrets.token_urlsafe(24)
        self.access[token] = self.now + 3599
        return 200, {}, {"access_token": token, "expires_in": 3599, "token_type": "Bearer"}

    # Google: projects.messages.send, and its ErrorCode.

    @staticmethod
    def google(status, name, code=None, details=()):
        details = list(details) + ([{"@type": FCM_ERROR, "errorCode": code}] if code else [])
        return status, {}, {"error": {"code": status, "message": "no", "status": name, "details": details}}

    def fcm(self, path, fields, body):
        token = fields.get("authorization", "").removeprefix("Bearer ")
        if self.access.get(token, 0) <= self.now:
            return self.google(401, "UNAUTHENTICATED")
        if path != f"/v1/projects/{keys.PROJECT}/messages:send":
            return self.google(403, "PERMISSION_DENIED")
        message = json.loads(body)["message"]
        apns = message["apns"]["headers"]
        good = (
            all(isinstance(value, str) for value in message["data"].values())
            and message["android"]["priority"] in ("HIGH", "NORMAL")
            and message["android"]["ttl"].endswith("s")
            and message["android"]["notification"]["tag"] == message["android"]["collapse_key"] == apns["apns-collapse-id"]
            and len(body) <= 4096 + len(message["token"])
        )
        if not good:
            return self.google(400, "INVALID_ARGUMENT", "INVALID_ARGUMENT")
        self.accept("fcm", message["token"], message["data"]["id"], message["android"]["collapse_key"], message)
        return 200, {}, {"name": f"projects/{keys.PROJECT}/messages/{len(self.accepted)}"}

    # Apple: sending notification requests to APNs, and handling its responses.

    def apns(self, device, fields, body):
        refusal = self.provider(fields)
        if refusal:
            return 403, {}, {"reason": refusal}
        live = fields["apns-push-type"] == "liveactivity"
        topic = keys.BUNDLE + (".push-type.liveactivity" if live else "")
        if fields["apns-topic"] != topic:
            return 400, {}, {"reason": "TopicDisallowed"}
        if len(body) > 4096:
            return 413, {}, {"reason": "PayloadTooLarge"}
        if len(fields["apns-collapse-id"]) > 64:
            return 400, {}, {"reason": "BadCollapseId"}
        if fields["apns-priority"] not in ("10", "5", "1") or not fields["apns-expiration"].isdigit():
            return 400, {}, {"reason": "BadPriority"}
        payload = json.loads(body)
        if live and not {"timestamp", "event", "content-state"} <= payload["aps"].keys():
            return 400, {}, {"reason": "BadDeviceToken"}
        self.accept("apns", device, fields["apns-id"], fields["apns-collapse-id"], {"payload": payload, "fields": {
            name: value for name, value in fields.items() if name.startswith("apns-")}})
        return 200, {"apns-id": fields["apns-id"]}, None

    def provider(self, fields):
        """What is wrong with the provider token; None where nothing is."""
        token = fields.get("authorization", "")
        if not token.startswith("bearer "):
            return "MissingProviderToken"
        token = token.removeprefix("bearer ")
        try:
            head, claims, signature, signed = parts(token)
            if len(signature) != 64:
                raise Refused("signature")
            r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
            self.apns_key.verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
            if (head["alg"], head["kid"], claims["iss"]) != ("ES256", keys.KEY_ID, keys.TEAM):
                raise Refused("claims")
        except (InvalidSignature, KeyError, ValueError, Refused):
            return "InvalidProviderToken"
        if not -60 < self.now - claims["iat"] < 3600:
            return "ExpiredProviderToken"
        if token not in self.provider_tokens:
            self.provider_tokens.append(token)
        return None

    def accept(self, service, token, id, collapse, message):
        self.ids.add(id)
        self.accepted.append({"service": service, "token": token, "id": id, "collapse": collapse, "message": message})
