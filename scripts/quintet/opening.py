"""Opening protocols: one player proposes stones, and the players choose their sides by turns.

protocol/README.md describes them under `opening`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .client import Engine
from .dialogue import ANSWER
from .protocol import position_words
from .records import listed, text

PROTOCOLS = {"d": (4,), "swap2": (3, 5)}
"""The protocols by name, and the numbers of stones on which somebody chooses."""

PROPOSER, OTHER = 0, 1
"""The players as the protocol knows them, until one of them is the first player."""

CHOICES = {"first": 0, "second": 1}
"""The sides that can be chosen."""


@dataclass
class Opening:
    """What was proposed and chosen so far, and what comes next."""

    protocol: str
    stones: list[str] = field(default_factory=list)
    """The stones proposed."""
    choices: list[str] = field(default_factory=list)
    """`put CELL CELL`, `first` or `second`, in order: the other player's, then the proposer's."""

    @property
    def moves(self) -> list[str]:
        """All stones on the board."""
        return self.stones + [cell for choice in self.choices for cell in choice.split()[1:]]

    @property
    def position(self) -> str:
        """The position, as it follows `position`."""
        return position_words("startpos", self.moves)

    @property
    def chooser(self) -> int | None:
        """The player who has chosen a side: `PROPOSER` or `OTHER`."""
        if not self.choices or self.choices[-1] not in CHOICES:
            return None
        return OTHER if len(self.choices) % 2 else PROPOSER

    @property
    def first(self) -> int | None:
        """The player who is the first player, once a side was chosen."""
        return None if self.chooser is None else self.chooser ^ CHOICES[self.choices[-1]]

    @property
    def asked(self) -> int:
        """The player who is asked next."""
        return OTHER if self.stones and len(self.choices) % 2 == 0 else PROPOSER

    @property
    def question(self) -> str:
        """What an engine is asked next, without limits."""
        what = f"choose {' '.join(self.moves)}" if self.stones else "propose"
        return f"opening {self.protocol} {what}"

    @property
    def may_put(self) -> bool:
        """Whether two more stones may be put instead of a choice."""
        return len(self.moves) + 2 in PROTOCOLS[self.protocol]

    @property
    def expected(self) -> str:
        """What can be answered."""
        if not self.stones:
            return f"{PROTOCOLS[self.protocol][0]} stones"
        return "first, second or put CELL CELL" if self.may_put else "first or second"

    def stones_of(self, answer: str) -> list[str]:
        """The stones that an answer places; `ValueError` if it does not fit the question."""
        words = answer.lower().split()
        if not self.stones:
            if len(words) == PROTOCOLS[self.protocol][0]:
                return words
        elif len(words) == 1 and words[0] in CHOICES:
            return []
        elif self.may_put and len(words) == 3 and words[0] == "put":
            return words[1:]
        raise ValueError(f"expected {self.expected}, found {answer!r}")

    def accept(self, answer: str, stones: Sequence[str]) -> None:
        """Takes in an answer; `stones` are those of `stones_of`, as the board names them."""
        if not self.stones:
            self.stones = list(stones)
        else:
            self.choices.append(" ".join(["put", *stones]) if stones else answer.strip().lower())

    def record(self) -> dict[str, Any]:
        """Stones and choices, as they stand in the field `protocol` of a record."""
        return {"stones": self.stones, "choices": self.choices}

    @classmethod
    def parse(cls, fields: object) -> Opening:
        """Reads that field; `ValueError` if its answers do not follow the protocol."""
        if not isinstance(fields, dict):
            raise ValueError(f"expected an object as protocol, found {fields!r}")
        opening = cls(text(fields.get("name")))
        if opening.protocol not in PROTOCOLS:
            raise ValueError(f"no opening protocol {opening.protocol!r}")
        stones = listed(fields.get("stones", []))
        choices = listed(fields.get("choices", []))
        for answer in [" ".join(map(text, stones))] * bool(stones) + choices:
            if opening.chooser is not None:
                raise ValueError(f"the choice {answer!r} comes after a side was chosen")
            opening.accept(text(answer), opening.stones_of(answer))
        return opening


def check(engine: Engine, protocol: str, patience: float = ANSWER) -> None:
    """`Refused` where the game in play is not opened by this protocol."""
    engine.ask_line(f"opening {protocol} propose nodes 1", patience)
