"""A certificate authority of the test's own, and a certificate for loopback that it has signed."""

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(subject: str, issuer: str, key: ec.EllipticCurvePrivateKey) -> x509.CertificateBuilder:
    moment = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment - timedelta(hours=1))
        .not_valid_after(moment + timedelta(hours=1))
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def made(folder: Path, name: str = "Campus authority") -> tuple[Path, ssl.SSLContext]:
    """The authority's certificate in a file, and what a server on 127.0.0.1 needs."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = (
        _builder(name, name, authority_key)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        _builder("127.0.0.1", name, key)
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    trusted, chain = folder / "authority.pem", folder / "server.pem"
    trusted.write_bytes(_pem(authority))
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    chain.write_bytes(_pem(certificate) + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    return trusted, context
