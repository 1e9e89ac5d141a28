//! The level `classic`: each game's player does what its document says, and
//! beats the random player.

use crate::common::{Work, data_lines, fen, moves, position, rules, with_game};
use quintet::internals::control::Control;
use quintet::internals::game::Game;
use quintet::internals::games::pentago::Pentago;
use quintet::internals::games::pente::Pente;
use quintet::internals::games::{self, Visitor};
use quintet::internals::levels::{Level, Means, STRENGTH};
use quintet::internals::limits::Limits;
use quintet::internals::options::OptionValues;
use quintet::internals::player::{Iteration, Player, Report, Root};
use quintet::internals::position::{Move, Outcome, Position, Side};
use quintet::internals::prover::Books;
use quintet::internals::search::Table;
use quintet::internals::value::mate_plies;
use std::sync::Arc;
use std::time::Instant;

/// A player of a level.
fn player<G: Game>(level: &'static str) -> Box<dyn Player<G::Position>> {
    let table = Arc::new(Table::new(1).expect("a MiB"));
    let means = Means {
        table,
        books: Books::default(),
    };
    let level = Level::of(level, STRENGTH).expect("a level");
    level.maker::<G>().expect("the game has it")(means)
}

/// The reports for a choice in a position.
struct Said {
    lines: Vec<Iteration>,
    /// The worths of the last lines, best first.
    worths: Vec<i64>,
    /// The other texts.
    texts: Vec<String>,
    best: Move,
}

impl Said {
    /// The lines of the last report that have the same worth as the best one.
    fn ties(&self) -> Vec<Move> {
        let last = self.lines.iter().rposition(|i| i.rank == 1).expect("one");
        let lines = &self.lines[last..];
        assert_eq!(lines.len(), self.worths.len());
        let lines = lines.iter().zip(&self.worths);
        let best = lines.take_while(|(_, worth)| **worth == self.worths[0]);
        best.map(|(i, _)| i.pv[0]).collect()
    }

    /// The last value as it stands in the cases: `mate N`, or the worth.
    fn told(&self) -> String {
        match mate_plies(self.value()) {
            Some(plies) => format!("mate {plies}"),
            None => format!("worth {}", self.worths[0]),
        }
    }

    /// The last value for the side to move.
    fn value(&self) -> i32 {
        let last = self.lines.iter().rfind(|i| i.rank == 1).expect("one");
        last.value
    }
}

fn ask<G: Game>(
    player: &mut dyn Player<G::Position>,
    rules: &OptionValues,
    position: &G::Position,
    limits: &Limits,
) -> Said {
    let legal = moves(position);
    let root = Root::new(position.clone(), rules);
    let mut said = Said {
        lines: Vec::new(),
        worths: Vec::new(),
        texts: Vec::new(),
        best: legal[0],
    };
    let control = Control::default();
    let choice = player.choose(&root, limits, &control, &mut |report| match report {
        Report::Iteration(iteration) => said.lines.push(iteration),
        Report::Text(text) => match text.strip_prefix("worth ") {
            Some(worths) => {
                let worth = |word: &str| word.parse().expect("a number");
                said.worths = worths.split(' ').map(worth).collect();
            }
            None => said.texts.push(text),
        },
    });
    // A better move is never told as worse.
    assert!(said.worths.is_sorted_by(|a, b| a >= b));
    said.best = choice.best;
    assert!(legal.contains(&choice.best), "an illegal move");
    let last = said.lines.iter().rfind(|i| i.rank == 1);
    assert_eq!(last.expect("an info line").pv[0], choice.best);
    said
}

fn seeded(seed: u64) -> Limits {
    Limits {
        seed,
        ..Limits::default()
    }
}

/// Every move's value, from the one-ply players.
fn all_lines(seed: u64) -> Limits {
    Limits {
        multi_pv: 10_000,
        ..seeded(seed)
    }
}

/// In alphabetical order.
fn names<G: Game>(position: &G::Position, moves: &[Move]) -> Vec<String> {
    let mut names: Vec<String> = moves.iter().map(|&m| G::write_move(position, m)).collect();
    names.sort();
    names
}

fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    words.sort();
    words
}

#[test]
fn pentago_chooses_among_the_best_moves_of_the_greedy_rule() {
    let rules = rules::<Pentago>("");
    let mut player = player::<Pentago>("classic");
    for line in data_lines("pentago-greedy.cases") {
        let fields: Vec<&str> = line.split(';').collect();
        let p = position::<Pentago>(&rules, fields[0]).expect("a position");
        let said = ask::<Pentago>(player.as_mut(), &rules, &p, &all_lines(1));
        let value = match fields[1].split_once(' ') {
            Some(("undecided", rows)) => format!("worth -{rows}").replace("-0", "0"),
            _ if fields[1] == "win" => "mate 1".to_string(),
            _ if fields[1] == "draw" => "worth -100".to_string(),
            _ => "mate -2".to_string(),
        };
        assert_eq!(said.told(), value, "{line}");
        let best = match fields[2] {
            "any" => names::<Pentago>(&p, &moves(&p)),
            list => words(list),
        };
        assert_eq!(names::<Pentago>(&p, &said.ties()), best, "{line}");
        // The seed chooses among these, and a few seeds reach each of them.
        let mut chosen = Vec::new();
        let few = best.len() <= 8;
        for seed in 1..if few { 60 } else { 4 } {
            let said = ask::<Pentago>(player.as_mut(), &rules, &p, &seeded(seed));
            let name = Pentago::write_move(&p, said.best);
            assert!(best.contains(&name), "{name}: {line}");
            if !chosen.contains(&name) {
                chosen.push(name);
            }
            let mut next = p.clone();
            next.play(said.best);
            assert_eq!(said.texts, [format!("next {}", fen::<Pentago>(&next))]);
        }
        chosen.sort();
        assert!(!few || chosen == best, "only {chosen:?}: {line}");
    }
}

/// The examples of the assignment: the board as its lists, the side to move,
/// and the move it gives, which must be one of the best.
#[test]
fn pentago_agrees_with_the_examples_of_the_assignment() {
    let examples: [(&[u32], &[u32], Side, &str); 4] = [
        (
            &[2, 4, 10, 16, 21, 26, 27],
            &[5, 8, 12, 15, 24, 29],
            Side::Second,
            "move(34,anti-clockwise,bottom-right)",
        ),
        (
            &[1, 4, 10, 13, 16, 21, 26, 27, 30],
            &[5, 6, 8, 12, 15, 22, 24, 29, 31],
            Side::First,
            "move(36,clockwise,top-left)",
        ),
        (
            &[1, 4, 7, 10, 18, 21, 26, 27],
            &[3, 5, 8, 12, 22, 24, 25, 29, 31],
            Side::First,
            "move(11,anti-clockwise,top-right)",
        ),
        (
            &[1, 5, 6, 13, 16, 26, 32, 33, 36],
            &[3, 8, 11, 12, 17, 19, 20, 22, 24, 29],
            Side::First,
            "move(21,anti-clockwise,top-right)",
        ),
    ];
    let rules = rules::<Pentago>("");
    for (black, red, turn, text) in examples {
        let dimensions = Pentago::dimensions(&rules);
        let mut setup = quintet::internals::board::Setup::empty(dimensions, turn);
        for (list, side) in [(black, Side::First), (red, Side::Second)] {
            for &hole in list {
                let cell = Pentago::NAMING
                    .read(dimensions, &hole.to_string())
                    .expect("a hole");
                setup.cells[cell] = Some(side);
            }
        }
        let p = Pentago::set_up(&rules, &setup).expect("a board");
        let given = Pentago::read_move(&p, text).expect(text);
        let mut player = player::<Pentago>("classic");
        let said = ask::<Pentago>(player.as_mut(), &rules, &p, &all_lines(1));
        assert!(said.ties().contains(&given), "{text}");
        if text.starts_with("move(34") {
            let mut next = p.clone();
            next.play(given);
            // board([2,4,10,16,21,26,27],[5,8,12,15,22,29,36])
            assert_eq!(fen::<Pentago>(&next), "1b1br1/1r1b1r/2rb2/2br2/1bb1r1/5r b");
        }
    }
}

/// The largest number of positions a choice can take: it takes a tenth of a
/// second.
#[test]
fn pentago_looks_at_each_reply_once_on_the_empty_board() {
    let rules = rules::<Pentago>("");
    let p = Pentago::start(&rules).expect("the start");
    let said = ask::<Pentago>(
        player::<Pentago>("classic").as_mut(),
        &rules,
        &p,
        &seeded(1),
    );
    // Each move, each marble of the reply, and its rotations.
    let most = 288 * (1 + 35 * (1 + 8));
    assert!((280 * 280..=most).contains(&said.lines[0].nodes));
}

/// A line of `classic.cases`.
struct Case<'a>(&'a str);

impl Work for Case<'_> {
    fn run<G: Game>(&mut self) {
        let line = self.0;
        let fields: Vec<&str> = line.split(';').collect();
        let options = fields[0].split_once(' ').map_or("", |(_, rest)| rest);
        let rules = rules::<G>(&options.replace("! ", ""));
        let p = position::<G>(&rules, fields[1]).unwrap_or_else(|why| panic!("{why}: {line}"));
        let mut player = player::<G>("classic");
        let said = ask::<G>(player.as_mut(), &rules, &p, &all_lines(1));
        let best = match fields[3].strip_prefix("all") {
            Some(rest) => {
                let mut all = names::<G>(&p, &moves(&p));
                let but = words(rest.trim_start_matches(" but"));
                assert!(but.iter().all(|m| all.contains(m)), "{line}");
                all.retain(|m| !but.contains(m));
                all
            }
            None => words(fields[3]),
        };
        assert_eq!(
            (said.told().as_str(), names::<G>(&p, &said.ties())),
            (fields[2], best),
            "{line}"
        );
        for seed in 2..20 {
            let chosen = ask::<G>(player.as_mut(), &rules, &p, &seeded(seed)).best;
            assert!(said.ties().contains(&chosen), "{line}");
        }
    }
}

#[test]
fn cases_worked_by_hand() {
    for line in data_lines("classic.cases") {
        let game = line.split([' ', ';']).next().expect("a game");
        with_game(game, &mut Case(&line));
    }
}

/// Plays a game from the start; the players in order of moving.
fn play<G: Game>(
    rules: &OptionValues,
    levels: [&'static str; 2],
    seed: u64,
    plies: usize,
) -> Option<Outcome> {
    let mut players = levels.map(player::<G>);
    let mut p = G::start(rules).expect("rules that fit");
    for ply in 0..plies as u64 {
        if p.outcome().is_some() {
            break;
        }
        let side = p.side_to_move().index();
        // With one seed for a whole game, the random player would play the same
        // move in a repeated position and go in circles.
        let seed = match levels[side] {
            "random" => 10_000 * seed + ply,
            _ => seed,
        };
        let said = ask::<G>(players[side].as_mut(), rules, &p, &seeded(seed));
        p.play(said.best);
    }
    p.outcome()
}

/// Twenty games of `classic` against `random`, ten with each colour.
struct AgainstChance;

impl Visitor for AgainstChance {
    fn visit<G: Game>(&mut self) {
        if G::CLASSIC.is_none() {
            return;
        }
        let rules = OptionValues::defaults(G::OPTIONS);
        let (mut wins, mut draws) = (0, 0);
        for game in 0..20 {
            let (levels, us) = match game % 2 {
                0 => (["classic", "random"], Side::First),
                _ => (["random", "classic"], Side::Second),
            };
            match play::<G>(&rules, levels, game + 1, 2_000) {
                Some(Outcome::Win(side)) => wins += u32::from(side == us),
                _ => draws += 1,
            }
        }
        println!("{}: {wins} wins, {draws} draws of 20", G::NAME);
        assert!(wins >= 19, "{}: {wins} wins, {draws} draws", G::NAME);
    }
}

#[test]
fn classic_beats_random() {
    games::visit(&mut AgainstChance);
}

/// A few plies under each rule, `classic` against itself.
struct EveryRule;

impl Visitor for EveryRule {
    fn visit<G: Game>(&mut self) {
        let sets: &[&str] = match G::NAME {
            "gomoku" => &[
                "size 3 line 3",
                "size 22 line 22",
                "rule standard",
                "tie full",
            ],
            "pente" => &[
                "size 7 variant keryo",
                "variant g",
                "size 9 variant poof tournament off",
                "size 9 variant boat",
                "size 13 variant o tournament off",
                "Difficulty 5 size 13",
                "Depth 0",
                "Depth 3 Padding 19 Width 3",
            ],
            "dagennacht" => &["size 11 restriction on back on", "size 19"],
            "teeko" => &["variant advanced", "centre off"],
            _ if G::CLASSIC.is_none() => &[],
            _ => &[""],
        };
        for text in sets {
            let rules = rules::<G>(text);
            play::<G>(&rules, ["classic", "classic"], 1, 40);
        }
    }
}

#[test]
fn classic_plays_under_every_rule() {
    games::visit(&mut EveryRule);
}

fn pente(options: &str, fen: &str) -> (OptionValues, quintet::internals::games::pente::Board) {
    let rules = rules::<Pente>(&format!("tournament off size 9 {options}"));
    let p = position::<Pente>(&rules, fen).expect("a position");
    (rules, p)
}

#[test]
fn pente_answers_fours_and_threes() {
    // "With depth 2 or higher … this helps the bot answer simple forcing
    // moves", a four that is closed at one end,
    for difficulty in 2..=5 {
        let (rules, p) = pente(
            &format!("Difficulty {difficulty}"),
            "9/9/9/9/1bwwww3/9/5b3/3b5/9 b 0 0",
        );
        for seed in 1..10 {
            let mut player = player::<Pente>("classic");
            let said = ask::<Pente>(player.as_mut(), &rules, &p, &seeded(seed));
            assert_eq!(Pente::write_move(&p, said.best), "g5");
        }
    }
    // "and with depth 4 or higher … more advanced threats", an open three.
    for difficulty in 4..=5 {
        let (rules, p) = pente(
            &format!("Difficulty {difficulty}"),
            "9/9/9/9/2www4/9/5b3/3b5/9 b 0 0",
        );
        for seed in 1..5 {
            let mut player = player::<Pente>("classic");
            let said = ask::<Pente>(player.as_mut(), &rules, &p, &seeded(seed));
            let answer = Pente::write_move(&p, said.best);
            assert!(
                ["a5", "b5", "f5", "g5"].contains(&answer.as_str()),
                "{answer}"
            );
        }
    }
}

#[test]
fn pente_does_not_resign() {
    // Two ways to make five cannot both be stopped; the player still makes a
    // move.
    let (rules, p) = pente("Difficulty 3", "9/9/9/9/2wwww3/9/5b3/3b5/9 b 0 0");
    let said = ask::<Pente>(
        player::<Pente>("classic").as_mut(),
        &rules,
        &p,
        &all_lines(1),
    );
    assert_eq!(said.told(), "worth -20000");
}

#[test]
fn pente_keeps_to_limits() {
    let (rules, p) = pente("Depth 20 Width 20", "9/9/9/3w5/4b4/3wb4/9/9/9 w 0 0");
    let mut player = player::<Pente>("classic");
    let limits = Limits {
        nodes: Some(2_000),
        ..seeded(1)
    };
    let said = ask::<Pente>(player.as_mut(), &rules, &p, &limits);
    assert!(said.lines.last().expect("a line").nodes < 2_200);
    let started = Instant::now();
    for ms in [0, 30] {
        let limits = Limits {
            move_time: Some(ms),
            ..seeded(1)
        };
        ask::<Pente>(player.as_mut(), &rules, &p, &limits);
    }
    // The whole tree takes hours; stopping must take only seconds on a loaded
    // machine.
    assert!(started.elapsed().as_secs() < 30);
    let limits = Limits {
        depth: Some(1),
        ..seeded(1)
    };
    assert_eq!(
        ask::<Pente>(player.as_mut(), &rules, &p, &limits)
            .lines
            .len(),
        1
    );
}

/// The winning rate over more games than a regular test can play.
struct Measure(u64);

impl Visitor for Measure {
    fn visit<G: Game>(&mut self) {
        let rules = OptionValues::defaults(G::OPTIONS);
        let started = Instant::now();
        let mut results = [0; 3];
        for game in 0..self.0 {
            let (levels, us) = match game % 2 {
                0 => (["classic", "random"], Side::First),
                _ => (["random", "classic"], Side::Second),
            };
            let i = match play::<G>(&rules, levels, game + 1, 2_000) {
                Some(Outcome::Win(side)) if side == us => 0,
                Some(Outcome::Win(_)) => 2,
                _ => 1,
            };
            results[i] += 1;
        }
        let [wins, draws, losses] = results;
        let time = started.elapsed();
        println!(
            "{}: {wins} wins {draws} draws {losses} losses in {time:?}",
            G::NAME
        );
    }
}

#[test]
#[ignore = "a measurement: cargo test --release --test levels measure -- --ignored --nocapture"]
fn measure_classic_against_random() {
    games::visit(&mut Measure(200));
}

/// A turn that completes the other side's five loses at once.
#[test]
fn pentago_tells_a_loss_by_its_own_turn() {
    let rules = rules::<Pentago>("");
    let fen = "rrbbrb/bbbrrr/brr1rb/bbrbbb/rrrbrr/br1brb b";
    let board = position::<Pentago>(&rules, fen).expect("a position");
    let mut player = player::<Pentago>("classic");
    let said = ask::<Pentago>(&mut *player, &rules, &board, &all_lines(1));
    let ends = |line: &&Iteration| {
        let mut after = board.clone();
        after.play(line.pv[0]);
        after.outcome().is_some()
    };
    let lost: Vec<_> = said.lines.iter().filter(ends).collect();
    assert!(!lost.is_empty());
    assert!(lost.iter().all(|line| mate_plies(line.value) == Some(-1)));
}
