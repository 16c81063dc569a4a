"""A Modbus TCP server of python3-pymodbus on a loopback port: prints the port, then a line for each write it receives."""

import asyncio
import json
import socket
import sys

from pymodbus.datastore import ModbusSequentialDataBlock, ModbusServerContext, ModbusSlaveContext
from pymodbus.server.async_io import StartAsyncTcpServer


class Reporting(ModbusSequentialDataBlock):
    def __init__(self, table, values):
        super().__init__(0, values)
        self.table = table

    def setValues(self, address, values):
        super().setValues(address, values)
        values = values if isinstance(values, list) else [values]
        print(json.dumps({"table": self.table, "address": address, "values": values}), flush=True)


async def main():
    holding = [0] * 100
    for address, value in json.loads(sys.argv[1]).items():
        holding[int(address)] = value
    unit = ModbusSlaveContext(
        hr=Reporting("holding", holding), co=Reporting("coil", [False] * 100), zero_mode=True
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = asyncio.create_task(
        StartAsyncTcpServer(
            context=ModbusServerContext(slaves=unit, single=True), address=("127.0.0.1", port), defer_start=False
        )
    )
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            break
        except OSError:
            await asyncio.sleep(0.05)
            if server.done():
                server.result()
    print(json.dumps({"port": port}), flush=True)
    await server


asyncio.run(main())
