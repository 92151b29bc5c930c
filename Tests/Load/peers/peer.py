"""The work that `make bench-peers` compares, as one would write it with FastAPI: a process a core, and the rooms in SQLite, where all of
them see what any of them has written.

    PEER_DATABASE=rooms.sqlite uvicorn peer:app
"""

import os
import sqlite3
import threading

from fastapi import FastAPI, Header, HTTPException
from fastapi.responses import ORJSONResponse
from pydantic import BaseModel

app = FastAPI(default_response_class=ORJSONResponse)
local = threading.local()


def database():
    if not hasattr(local, "connection"):
        local.connection = sqlite3.connect(os.environ["PEER_DATABASE"], timeout=30, isolation_level=None)
        local.connection.execute("PRAGMA journal_mode = WAL")
        local.connection.execute("PRAGMA synchronous = FULL")
    return local.connection


database().executescript("""
CREATE TABLE IF NOT EXISTS room (pin INTEGER PRIMARY KEY, sequence INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS member (pin INTEGER, token TEXT, body TEXT, PRIMARY KEY (pin, token)) WITHOUT ROWID;
""")


class Submission(BaseModel):
    answers: dict = {}
    vetoes: list[str] = []


def snapshot(connection, pin):
    row = connection.execute("SELECT sequence FROM room WHERE pin = ?", (int(pin),)).fetchone()
    if row is None:
        raise HTTPException(404)
    bodies = [body for (body,) in connection.execute("SELECT body IS NOT NULL FROM member WHERE pin = ?", (int(pin),))]
    members = [{"id": f"m_{number}", "nickname": None, "isHost": number == 1, "hasSubmitted": bool(body)}
               for number, body in enumerate(bodies, 1)]
    return {"pin": pin, "phase": "open", "round": 1, "sequence": row[0], "memberCount": len(bodies), "submissionCount": sum(bodies),
            "members": members}


@app.post("/v1/rooms", status_code=201)
def open_room(authorization: str = Header()):
    connection = database()
    connection.execute("BEGIN IMMEDIATE")
    pin = connection.execute("INSERT INTO room (sequence) VALUES (1) RETURNING pin").fetchone()[0]
    connection.execute("INSERT INTO member VALUES (?, ?, NULL)", (pin, authorization))
    connection.execute("COMMIT")
    return snapshot(connection, f"{pin:06}")


@app.get("/v1/rooms/{pin}")
def read_room(pin: str):
    return snapshot(database(), pin)


@app.put("/v1/rooms/{pin}/submission")
def submit(pin: str, submission: Submission, authorization: str = Header()):
    connection = database()
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE room SET sequence = sequence + 1 WHERE pin = ?", (int(pin),))
    connection.execute("INSERT OR REPLACE INTO member VALUES (?, ?, ?)", (int(pin), authorization, submission.model_dump_json()))
    connection.execute("COMMIT")
    room = snapshot(connection, pin)
    return {"submission": submission.model_dump() | {"revision": room["sequence"]}, "room": room}
