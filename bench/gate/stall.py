#!/usr/bin/env python3
"""Clients that do harm by doing nothing: 300 bodies that never come and 10 clients that read no answer, every 5 s.

usage: bench/gate/stall.py PORT QUEUE

Each time it says how many there are. It ends when its input does.
"""
import select, socket, sys


def stall(port, queue, held):
    join, look = f"POST /q/{queue}/join HTTP/1.1", f"GET /q/{queue}/status HTTP/1.1"
    for n in range(310):
        s = socket.create_connection(("127.0.0.1", port), 10)
        if n < 300:
            s.sendall(f"{join}\r\nHost: gate\r\nContent-Length: 4000\r\n\r\n{{".encode())
        else:
            s.setblocking(False)
            try:
                s.send(f"{look}\r\nHost: gate\r\n\r\n".encode() * 50_000)
            except BlockingIOError:
                pass  # the gate reads no further while its answers are unread
        held.append(s)


def main():
    port, queue, held, ended = int(sys.argv[1]), sys.argv[2], [], False
    while not ended:
        stall(port, queue, held)
        print(len(held), flush=True)
        ended = bool(select.select([sys.stdin], [], [], 5)[0])


main()
