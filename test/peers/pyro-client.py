"""A program as growers write them: speaks Pyro protocol 502 with Python's own serpent.

Reads JSON lines {"method", "args", "kwargs"} from standard input and answers each with a line {"ok"} or {"error", "code"}.
"""

import json
import socket
import struct
import sys

import serpent

OBJECT = "orangery.pyro_server"
CONNECT, CONNECTOK, CONNECTFAIL, INVOKE, RESULT = 1, 2, 3, 4, 5
EXCEPTION = 0x01
HEADER = struct.Struct("!4sHBBHHII16sHH")


class Proxy:
    def __init__(self, port):
        self.connection = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.sequence = 0
        kind, _, body = self.ask(CONNECT, {"handshake": "hello", "object": OBJECT})
        if kind != CONNECTOK:
            raise SystemExit("refused: " + repr(body))
        self.methods = set(body["meta"]["methods"])

    def call(self, method, args, kwargs):
        if method not in self.methods:
            return {"error": "remote object has no attribute " + method, "code": "no_attribute"}
        _, flags, body = self.ask(INVOKE, (OBJECT, method, tuple(args), kwargs))
        if flags & EXCEPTION:
            return {"error": " ".join(str(one) for one in body["args"]), "code": body["attributes"].get("code")}
        return {"ok": body}

    def ask(self, kind, value):
        payload = serpent.dumps(value)
        self.sequence = (self.sequence + 1) % 65536
        head = HEADER.pack(b"PYRO", 502, kind, 1, 0, self.sequence, len(payload), 0, b"", 0, 0x4DC5)
        self.connection.sendall(head + payload)
        fields = HEADER.unpack(self.receive(HEADER.size))
        kind, flags, sequence, length, annotations = fields[2], fields[4], fields[5], fields[6], fields[7]
        if sequence != self.sequence:
            raise SystemExit("answer %d to call %d" % (sequence, self.sequence))
        self.receive(annotations)
        return kind, flags, serpent.loads(self.receive(length))

    def receive(self, length):
        data = b""
        while len(data) < length:
            part = self.connection.recv(length - len(data))
            if not part:
                raise SystemExit("the daemon hung up")
            data += part
        return data


proxy = Proxy(int(sys.argv[1]))
for line in sys.stdin:
    asked = json.loads(line)
    answer = proxy.call(asked["method"], asked.get("args", []), asked.get("kwargs", {}))
    print(json.dumps(answer, default=str), flush=True)
