"""Who sits at a table, a person or the engine at a level, and asking a person for it."""

from __future__ import annotations

from dataclasses import dataclass

from .client import Engine
from .errors import EngineError, Refused

HUMAN = "human"


class Quit(Exception):
    """The person at the keyboard has had enough."""


class Mistake(EngineError):
    """Something typed that cannot be done; the text says what was expected."""


@dataclass
class Side:
    """Who plays a side: a person, or the engine at a level."""

    level: str
    limits: str
    strength: int | None = None
    """The grade, or `None` for that of the engine's options."""

    @property
    def human(self) -> bool:
        """Whether a person plays."""
        return self.level == HUMAN

    @classmethod
    def parse(cls, text: str, otherwise: str, engine: Engine) -> Side:
        """Reads `LEVEL`, `STRENGTH` or one with `:MS`; `otherwise` are the limits without it."""
        level, colon, time = text.strip().lower().partition(":")
        if colon and (level == HUMAN or not time.isdecimal()):
            raise Mistake(f"{text!r} is not LEVEL:MILLISECONDS")
        limits = f"movetime {time}" if colon else otherwise
        levels = values_of(engine, "level")
        grades = grades_of(engine)
        if level.isdecimal() and int(level) in grades:
            return cls("full", limits, int(level))
        if level not in (HUMAN, *levels):
            range_ = [f"{grades[0]}..{grades[-1]}"] if grades else []
            told = " ".join([HUMAN, *levels, *range_])
            raise Mistake(f"no level {text!r}; there are: {told}")
        return cls(level, limits)

    def __str__(self) -> str:
        if self.human:
            return HUMAN
        return f"{self.level if self.strength is None else self.strength} ({self.limits})"


def read(prompt: str) -> str:
    """A line from the keyboard, or `Quit`."""
    try:
        return input(prompt).strip()
    except EOFError:
        print()
        raise Quit from None


def values_of(engine: Engine, option: str) -> list[str]:
    """The values of a combo option; none if the engine does not have it."""
    spec = engine.offered.get(option)
    return list(spec.var) if spec else []


def grades_of(engine: Engine) -> range:
    """The grades of the engine's strength, the weakest first; none if it has none."""
    spec = engine.offered.get("strength")
    if spec is None or spec.min is None or spec.max is None:
        return range(0)
    return range(spec.min, spec.max + 1)


def choose(question: str, values: list[str], default: str) -> str:
    """One of the values, by name or number."""
    listed = "  ".join(f"{n} {value}" for n, value in enumerate(values, 1))
    while True:
        said = read(f"{question}: {listed}  [{default}] ").lower() or default
        if said.isdecimal() and 1 <= int(said) <= len(values):
            return values[int(said) - 1]
        if said in values:
            return said
        print(f"{said!r} is none of them")


def choose_game(engine: Engine) -> None:
    """Asks for the game and its rules and sets them."""
    game = choose("Game", values_of(engine, "game"), engine.options.spec("game").default)
    engine.do(f"setoption name Game value {game}")
    for spec in engine.facts()["optionspec"]:
        owner, _, name = spec["name"].partition(".")
        if not spec["rule"] or owner.lower() != game:
            continue
        told = {"check": "true or false", "combo": " ".join(spec.get("var", []))}
        takes = told.get(spec["type"]) or f"{spec['min']} to {spec['max']}"
        usual = str(spec["default"]).lower()
        while True:
            said = read(f"{name.lower()} ({spec['help']}): {takes}  [{usual}] ")
            try:
                if said:
                    engine.do(f"setoption name {spec['name']} value {said}")
                break
            except Refused as error:
                print(error)
    engine.do("uginewgame")


def choose_side(engine: Engine, seat: str, told: str | None, otherwise: str) -> Side:
    """The side as told, or as asked for."""
    if told is not None:
        return Side.parse(told, otherwise, engine)
    chosen = choose(f"{seat} player", [HUMAN, *values_of(engine, "level")], HUMAN)
    while True:
        time = ""
        if chosen != HUMAN:
            time = read(f"How long for a move?  [{otherwise}; else milliseconds] ")
        try:
            return Side.parse(f"{chosen}:{time}" if time else chosen, otherwise, engine)
        except Mistake as error:
            print(error)
