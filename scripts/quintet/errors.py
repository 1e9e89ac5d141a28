"""What can go wrong between a client and an engine, as exceptions."""

from __future__ import annotations


class EngineError(Exception):
    """The engine did something wrong; the text says what."""


class Crashed(EngineError):
    """The engine cannot be started, or its output ended."""


class Silent(EngineError):
    """The engine did not answer in time."""


class Busy(EngineError):
    """A search is running; it has to be stopped first."""


class Refused(EngineError):
    """The engine answered `error CODE TEXT`; made from what comes after `error`."""

    def __init__(self, answer: str) -> None:
        self.code, _, reason = answer.partition(" ")
        """One of the codes of the protocol: `syntax`, `option`, `move`, …"""
        super().__init__(reason or answer)
