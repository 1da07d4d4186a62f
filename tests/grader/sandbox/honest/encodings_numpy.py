"""JSON, base64, struct, hashes, compression, pickles of one's own."""

import base64
import hashlib
import json
import pickle
import struct
import zlib


def work():
    data = json.dumps({"q": [1, 2.5, None]}).encode()
    return (
        json.loads(zlib.decompress(zlib.compress(base64.b64decode(base64.b64encode(data)))))
        == pickle.loads(pickle.dumps({"q": [1, 2.5, None]}))
        and len(hashlib.sha256(struct.pack("<d", 1.0)).hexdigest()) == 64
    )
