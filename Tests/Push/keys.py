"""What the operator of a real service would get from its consoles: certificates, a service account's file and a .p8 key."""

import datetime
import ipaddress
import json
import os

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

PROJECT, EMAIL = "hansang-test", "push@hansang-test.iam.gserviceaccount.com"
KEY_ID, TEAM, BUNDLE = "ABC123DEFG", "TEAM123456", "com.example.hansang"


def write(folder, name, data):
    with open(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)


def private(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def certificate(name, key, issuer, signer, is_authority):
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if not is_authority:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def make(folder, port):
    """Files in `folder`; returns the public keys of the service account and of the .p8 key."""
    authority, server = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    write(folder, "authority.pem", certificate("stand-in authority", authority, "stand-in authority", authority, True))
    write(folder, "server.pem", private(server) + certificate("stand-in", server, "stand-in authority", authority, False))
    account, apns = rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP256R1())
    write(folder, "key.p8", private(apns))
    write(
        folder,
        "account.json",
        json.dumps(
            {
                "type": "service_account",
                "project_id": PROJECT,
                "private_key_id": "k1",
                "private_key": private(account).decode(),
                "client_email": EMAIL,
                "token_uri": f"https://localhost:{port}/token",
            }
        ).encode(),
    )
    return account.public_key(), apns.public_key()
