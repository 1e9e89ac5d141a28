//! The engine's part in the protocols by which players agree on the first stones.

use super::balance::Balance;
use super::words::error;
use crate::control::Control;
use crate::game::{Game, OpeningProtocol};
use crate::options::OptionValues;
use crate::position::{Position, Side};
use quintet_protocol::{ErrorCode, ProtocolError, Reply, Score, quoted};

/// If neither side is worth more than so many centipawns, two more stones are put
/// where the protocol allows it and they cost no more than that: nothing is lost by
/// it, and the other player has not prepared for them.
const EVEN: i32 = 5;

/// The protocol of this name.
///
/// # Errors
/// There is none, or the game is not played by it, or not under these rules.
pub(super) fn find<G: Game>(
    name: &str,
    rules: &OptionValues,
) -> Result<OpeningProtocol, ProtocolError> {
    let named = |opening: &&OpeningProtocol| opening.name().eq_ignore_ascii_case(name);
    let Some(&opening) = OpeningProtocol::ALL.iter().find(named) else {
        let names = OpeningProtocol::ALL.map(OpeningProtocol::name).join(" or ");
        let text = format!("opening {}: expected {names}", quoted(name));
        return Err(error(ErrorCode::Unknown, text));
    };
    if !G::OPENINGS.contains(&opening) {
        let text = format!("{} is not opened by {}", G::TITLE, opening.name());
        return Err(error(ErrorCode::State, text));
    }
    match G::opening_rule(rules) {
        None => Ok(opening),
        Some(why) => Err(error(
            ErrorCode::State,
            format!("opening {}: {why}", opening.name()),
        )),
    }
}

/// Checks that somebody chooses after so many stones.
///
/// # Errors
/// Nobody does.
pub(super) fn check(opening: OpeningProtocol, stones: usize) -> Result<(), ProtocolError> {
    if opening.choices().contains(&stones) {
        return Ok(());
    }
    let numbers = opening.choices().iter().map(usize::to_string);
    let text = format!(
        "{}: the choice is made on {} stones, not {stones}",
        opening.name(),
        numbers.collect::<Vec<_>>().join(" or "),
    );
    Err(error(ErrorCode::State, text))
}

/// Proposes stones, from the start position: prepared ones, or else what a search
/// finds. One line, and the answer.
pub(super) fn propose<G: Game>(
    opening: OpeningProtocol,
    mut balance: Balance<G>,
    control: &Control,
    say: &mut dyn FnMut(Reply),
) -> Reply {
    let prepared = G::prepared_openings(opening, balance.rules());
    let found = match balance.follow(&prepared, control) {
        Some(found) => Ok(found),
        None => balance.find(opening.choices()[0], 0, control),
    };
    match found {
        Ok(found) => {
            say(Reply::Info(found.line));
            Reply::Response(found.moves.join(" "))
        }
        Err(why) => Reply::Error(why),
    }
}

/// Chooses a side, or two more stones, after so many: what each choice is worth
/// to the player who makes it, and the answer.
pub(super) fn choose<G: Game>(
    opening: OpeningProtocol,
    stones: usize,
    mut balance: Balance<G>,
    control: &Control,
    say: &mut dyn FnMut(Reply),
) -> Reply {
    let may_put = opening.choices().contains(&(stones + 2));
    if may_put {
        balance.divide(2);
    }
    let turn = balance.position().side_to_move();
    let line = balance.value(control, say);
    let score = line.and_then(|line| line.score).unwrap_or(Score::Cp(0));
    let worth = |side: Side| match side == turn {
        true => score,
        false => score.for_the_other(),
    };
    let choices = [("first", Side::First), ("second", Side::Second)];
    for (name, side) in choices {
        tell(name, worth(side), say);
    }
    if may_put
        && !control.stopped()
        && score.as_centipawns().abs() <= EVEN
        && let Ok(found) = balance.find(2, 0, control)
    {
        // The other player chooses: what is not level is his.
        let value = found.line.score.unwrap_or(Score::Cp(0));
        let value = match value.as_centipawns() > 0 {
            true => value.for_the_other(),
            false => value,
        };
        let put = format!("put {}", found.moves.join(" "));
        tell(&put, value, say);
        if value.as_centipawns() >= -EVEN {
            return Reply::Response(put);
        }
    }
    control.wait_until_released();
    let better = choices
        .into_iter()
        .max_by_key(|&(_, side)| worth(side).as_centipawns());
    Reply::Response(better.map_or("first", |(name, _)| name).to_string())
}

fn tell(choice: &str, worth: Score, say: &mut dyn FnMut(Reply)) {
    say(Reply::InfoString(format!("choice {choice} {worth}")));
}
