//! What the search believes of a position where somebody threatens to win: that the
//! moves listed are all that could help. Held against the rules, and against a full
//! search, on boards that no game leads to.

mod common;

use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pente::Pente;
use quintet::internals::options::OptionValues;
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::search::{Effort, Table, ThreatSearch, Vct};
use quintet::internals::zobrist;
use quintet::{Engine, Limits, Score};
use std::sync::Arc;

/// Numbers that look random, always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = zobrist::key(self.0);
        (self.0 >> 8) as usize % n
    }
}

/// A board filled at random to so many percent; in a game with captures up to `most`
/// stones have been captured by each side. `None`: there is no such position, or the
/// game is over.
fn thrown<G: Game>(
    rules: &OptionValues,
    percent: usize,
    most: usize,
    dice: &mut Dice,
) -> Option<G::Position> {
    let dimensions = G::dimensions(rules);
    let [first, second] = G::SIDES.map(|side| side.letter);
    let mut rows = Vec::new();
    for _ in 0..dimensions.rows {
        let (mut row, mut empty) = (String::new(), 0);
        for column in 0..dimensions.columns {
            let stone = (dice.below(100) < percent).then(|| [first, second][dice.below(2)]);
            empty += usize::from(stone.is_none());
            if empty > 0 && (stone.is_some() || column + 1 == dimensions.columns) {
                row += &empty.to_string();
                empty = 0;
            }
            row.extend(stone);
        }
        rows.push(row);
    }
    let mut fen = format!("{} {}", rows.join("/"), [first, second][dice.below(2)]);
    if G::EXTRA.is_some() {
        fen += &format!(" {} {}", dice.below(most + 1), dice.below(most + 1));
    }
    let position = common::position::<G>(rules, &fen).ok()?;
    position.outcome().is_none().then_some(position)
}

/// A position after random moves, each one of the likeliest. `None`: the game is over.
fn played<G: Game>(rules: &OptionValues, plies: usize, dice: &mut Dice) -> Option<G::Position> {
    let mut position = G::start(rules).expect("rules that fit");
    let mut evaluator = G::Evaluator::new(&position);
    for _ in 0..plies {
        let mut list = Vec::new();
        evaluator.candidates(&position, &mut list);
        list.sort_by_key(|s| (-s.order, s.mv));
        let mv = list[dice.below(list.len().min(12))].mv;
        let undo = position.play(mv);
        if position.outcome().is_some() {
            return None;
        }
        evaluator.play(&position, mv, &undo);
    }
    Some(position)
}

fn moves<P: Position>(position: &P) -> Vec<Move> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves
}

/// The moves after which the game is over and `side` has won.
fn wins<P: Position>(position: &mut P, side: Side) -> Vec<Move> {
    let mut wins = moves(position);
    wins.retain(|&m| {
        let undo = position.play(m);
        let won = position.outcome() == Some(Outcome::Win(side));
        position.undo(m, undo);
        won
    });
    wins
}

/// Where the side to move wins at once it knows how, and where nobody does nothing is
/// forced. Where only its enemy would, each move that it does not list loses to that,
/// and no later than one that it lists. The number of moves not listed there; `None`:
/// it is no such position.
fn check_replies<G: Game>(p: &G::Position, context: &str) -> Option<usize> {
    let mut p = p.clone();
    let context = format!("{context}: {}", common::fen::<G>(&p));
    let mut evaluator = G::Evaluator::new(&p);
    let side = p.side_to_move();
    let mut list = Vec::new();
    evaluator.candidates(&p, &mut list);
    let listed = |m: &Move| list.iter().any(|s| s.mv == *m);
    let own = wins(&mut p, side);
    assert!(own.iter().all(listed), "{context}: a win is not listed");
    match evaluator.urgency(&p) {
        Urgency::Win(m) => {
            assert!(own.contains(&m), "{context}: it is not won");
            return None;
        }
        Urgency::Quiet => {
            assert!(own.is_empty(), "{context}: it is won");
            return None;
        }
        Urgency::Forced => assert!(own.is_empty(), "{context}: it is won"),
    }
    // Whether a move that is not listed leaves the game open or draws it, and one that
    // is.
    let mut lasting = [false; 2];
    let mut left_out = 0;
    for m in moves(&p) {
        let undo = p.play(m);
        let outcome = p.outcome();
        lasting[usize::from(listed(&m))] |= outcome != Some(Outcome::Win(side.other()));
        let lost = match outcome {
            _ if listed(&m) => true,
            None => !wins(&mut p, side.other()).is_empty(),
            Some(outcome) => outcome == Outcome::Win(side.other()),
        };
        p.undo(m, undo);
        assert!(lost, "{context}: {} helps", G::write_move(&p, m));
        left_out += usize::from(!listed(&m));
    }
    assert!(
        lasting[1] || !lasting[0],
        "{context}: another move lasts longer"
    );
    Some(left_out)
}

/// Checks the replies on so many boards on which a win is threatened.
fn replies<G: Game>(rules: &str, most: usize, boards: usize) {
    let values = common::rules::<G>(rules);
    let context = format!("{} {rules}", G::NAME);
    let mut dice = Dice(boards as u64);
    let (mut seen, mut left_out) = (0, 0);
    while seen < boards {
        let percent = 40 + dice.below(55);
        let found = thrown::<G>(&values, percent, most, &mut dice)
            .and_then(|p| check_replies::<G>(&p, &context));
        if let Some(others) = found {
            (seen, left_out) = (seen + 1, left_out + others);
        }
    }
    println!("{context}: {seen} boards, {left_out} moves left out");
    assert!(left_out > boards);
}

#[test]
fn no_reply_to_a_threat_is_left_out() {
    for (variant, most) in [
        ("pente", 8),
        ("keryo", 13),
        ("poof", 13),
        ("boat", 8),
        ("o", 13),
    ] {
        let rules = format!("size 7 tournament off variant {variant}");
        replies::<Pente>(&rules, most, 1_000);
    }
    for rules in [
        "width 5 height 4 line 3",
        "width 9 height 7 line 4 rule standard",
        "width 7 height 9 line 5",
        "size 8 line 5 rule standard tie full",
        "size 10 line 6",
    ] {
        replies::<Gomoku>(rules, 0, 700);
    }
}

#[test]
fn no_reply_to_a_threat_of_dag_en_nacht_is_left_out() {
    for rules in ["size 11", "size 11 restriction on", "size 11 back on"] {
        let values = common::rules::<DagEnNacht>(rules);
        let mut dice = Dice(5);
        let (mut seen, mut left_out) = (0, 0);
        while seen < 150 {
            let plies = 8 + dice.below(60);
            let found = played::<DagEnNacht>(&values, plies, &mut dice)
                .and_then(|p| check_replies::<DagEnNacht>(&p, rules));
            if let Some(others) = found {
                (seen, left_out) = (seen + 1, left_out + others);
            }
        }
        println!("{rules}: {seen} positions, {left_out} moves left out");
        assert!(left_out > seen);
    }
}

/// Whether a full search proves that the side to move wins.
fn is_won(engine: &mut Engine, fen: &str) -> bool {
    engine.set_fen(fen).expect("a position");
    let limits = Limits {
        nodes: Some(50_000),
        ..Limits::default()
    };
    let found = engine.search(&limits).expect("a search");
    found.is_proven() && matches!(found.score(), Score::Mate(plies) if plies > 0)
}

/// Checks so many lists of defences against a forced win by fours, in positions that
/// `drawn` makes: each move that is left out loses.
fn defences<G: Game>(
    rules: &str,
    lists: usize,
    drawn: impl Fn(&OptionValues, &mut Dice) -> Option<G::Position>,
) {
    let words: Vec<&str> = rules.split_whitespace().collect();
    let pairs: Vec<(&str, &str)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let mut engine = Engine::open(G::NAME, &pairs).expect("rules");
    engine.set_option("Hash", "1").expect("a size");
    let values = common::rules::<G>(rules);
    let table = Table::new(1).expect("memory");
    table.begin_search(true);
    let mut threats = Vct::new(Arc::new(table));
    let mut dice = Dice(lists as u64);
    let (mut seen, mut left_out) = (0, 0);
    while seen < lists {
        let Some(mut p) = drawn(&values, &mut dice) else {
            continue;
        };
        let mut evaluator = G::Evaluator::new(&p);
        if evaluator.urgency(&p) != Urgency::Quiet {
            continue;
        }
        let mut list = Vec::new();
        let effort = Effort::new(2_000);
        let mut on = ThreatSearch::<_, _, G::Threats>::new(&mut p, &mut evaluator, effort);
        if threats.vcf.threatened(&mut on, &mut list).is_none() {
            continue;
        }
        seen += 1;
        for m in moves(&p) {
            if list.iter().any(|s| s.mv == m) {
                continue;
            }
            left_out += 1;
            let undo = p.play(m);
            assert!(p.outcome().is_none());
            let lost = is_won(&mut engine, &common::fen::<G>(&p));
            p.undo(m, undo);
            let (text, fen) = (G::write_move(&p, m), common::fen::<G>(&p));
            assert!(lost, "{} {rules}: {fen}: {text} might help", G::NAME);
        }
    }
    println!(
        "{} {rules}: {seen} lists, {left_out} moves left out",
        G::NAME
    );
    assert!(left_out > seen);
}

#[test]
fn no_defence_against_fours_is_left_out() {
    fn drawn<G: Game>(rules: &OptionValues, dice: &mut Dice) -> Option<G::Position> {
        let percent = 20 + dice.below(45);
        thrown::<G>(rules, percent, 8, dice)
    }
    for variant in ["pente", "keryo", "poof", "boat", "o"] {
        let rules = format!("size 9 tournament off variant {variant}");
        defences::<Pente>(&rules, 20, drawn::<Pente>);
    }
    for rules in [
        "size 9 line 5",
        "size 9 line 5 rule standard",
        "width 10 height 8 line 5",
    ] {
        defences::<Gomoku>(rules, 20, drawn::<Gomoku>);
    }
}

#[test]
fn no_defence_against_fours_of_dag_en_nacht_is_left_out() {
    for rules in ["size 11", "size 11 restriction on", "size 11 back on"] {
        defences::<DagEnNacht>(rules, 12, |values, dice| {
            let plies = 8 + dice.below(50);
            played::<DagEnNacht>(values, plies, dice)
        });
    }
}
