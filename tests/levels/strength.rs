//! The grades of the option `Strength`: they see what anyone sees, keep to
//! their effort and to every limit, say the truth, and are of different
//! strength.

use crate::common::{moves, rules};
use quintet::internals::control::{Control, Held};
use quintet::internals::game::Game;
use quintet::internals::games::teeko::Teeko;
use quintet::internals::games::{self, Visitor};
use quintet::internals::grade::{GRADES, Grade};
use quintet::internals::levels::{self, ELO, Means, STRENGTH};
use quintet::internals::limits::Limits;
use quintet::internals::player::{Iteration, Player, Report, Root};
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::prover::Books;
use quintet::internals::search::Table;
use quintet::internals::specialist::Specialist;
use quintet::internals::value::{is_loss, is_win, win_in};
use quintet::internals::zobrist;
use quintet::{Engine, Limits as Go, Side};
use std::sync::Arc;
use std::time::Instant;

fn player<G: Game>(strength: usize) -> Box<dyn Player<G::Position>> {
    levels::full::<G>(strength)(Means {
        table: Arc::new(Table::new(1).expect("memory")),
        books: Books::default(),
    })
}

fn root<G: Game>(position: G::Position) -> Root<G::Position> {
    Root::new(position, &rules::<G>(""))
}

fn to_nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// The move chosen and all that was reported.
fn ask<P: Position>(
    player: &mut dyn Player<P>,
    root: &Root<P>,
    limits: &Limits,
    control: &Control,
) -> (Move, Vec<Iteration>) {
    let mut told = Vec::new();
    let choice = player.choose(root, limits, control, &mut |report| {
        if let Report::Iteration(iteration) = report {
            told.push(iteration);
        }
    });
    assert!(root.moves.contains(&choice.best));
    let last = told.last().expect("a report");
    assert_eq!((last.rank, last.pv[0]), (1, choice.best));
    (choice.best, told)
}

const PONDERING: Held = Held {
    pondering: true,
    infinite: false,
};

const INFINITE: Held = Held {
    pondering: false,
    infinite: true,
};

fn at_once() -> Control {
    Control::default()
}

/// The positions of a random game, determined by the seed, without the last.
fn random_game<G: Game>(seed: u64) -> Vec<G::Position> {
    let mut position = G::start(&rules::<G>("")).expect("rules");
    let mut game = Vec::new();
    for ply in 0..200 {
        let all = moves(&position);
        let Some(n) = zobrist::key(1_000 * seed + ply).checked_rem(all.len() as u64) else {
            break;
        };
        game.push(position.clone());
        position.play(all[n as usize]);
    }
    game
}

fn wins<P: Position>(position: &P, m: Move) -> bool {
    let mut after = position.clone();
    after.play(m);
    after.outcome() == Some(Outcome::Win(position.side_to_move()))
}

/// So many positions of random games in which the side to move has a win in
/// one.
fn with_a_win<G: Game>(count: usize) -> Vec<G::Position> {
    (1..)
        .flat_map(random_game::<G>)
        .filter(|p| moves(p).iter().any(|&m| wins(p, m)))
        .take(count)
        .collect()
}

struct WinsInOne;

impl Visitor for WinsInOne {
    fn visit<G: Game>(&mut self) {
        let positions = with_a_win::<G>(200);
        for strength in 1..=GRADES {
            let mut player = player::<G>(strength);
            for (i, position) in positions.iter().enumerate() {
                let root = root::<G>(position.clone());
                // Nor does it need time for that.
                let limits = to_nodes(i as u64 % 3);
                let (best, told) = ask(&mut *player, &root, &limits, &at_once());
                assert!(wins(position, best), "{} grade {strength}", G::NAME);
                assert!(told[0].proven && told[0].value == win_in(1));
            }
        }
    }
}

#[test]
fn every_grade_plays_a_win_in_one() {
    games::visit(&mut WinsInOne);
}

/// The position after a pass, in which the opponent is to move.
fn passed<P: Position>(position: &P) -> P {
    let mut other = position.clone();
    other.pass();
    other
}

/// Whether the side to move can win at once.
fn can_win<P: Position>(position: &P) -> bool {
    position.outcome().is_none() && moves(position).iter().any(|&m| wins(position, m))
}

/// Whether `m` leaves the opponent no win in one.
fn prevents<P: Position>(position: &P, m: Move) -> bool {
    let mut after = position.clone();
    after.play(m);
    !can_win(&after) && after.outcome() != Some(Outcome::Win(after.side_to_move()))
}

struct Replies;

impl Visitor for Replies {
    fn visit<G: Game>(&mut self) {
        let threatened = |p: &G::Position| {
            !can_win(p) && can_win(&passed(p)) && moves(p).iter().any(|&m| prevents(p, m))
        };
        let positions: Vec<G::Position> = (1..)
            .flat_map(random_game::<G>)
            .filter(threatened)
            .take(60)
            .collect();
        for strength in [1, 4, 10, GRADES] {
            let mut player = player::<G>(strength);
            for (i, position) in positions.iter().enumerate() {
                let root = root::<G>(position.clone());
                // Nor does it need many nodes for that.
                for limits in [Limits::default(), to_nodes(i as u64)] {
                    let (best, _) = ask(&mut *player, &root, &limits, &at_once());
                    assert!(prevents(position, best), "{} grade {strength}", G::NAME);
                }
            }
        }
    }
}

#[test]
fn no_grade_lets_a_win_in_one_happen_that_it_can_prevent() {
    games::visit(&mut Replies);
}

struct Effort;

impl Visitor for Effort {
    fn visit<G: Game>(&mut self) {
        for (strength, &ability) in (1..).zip(&G::ABILITIES) {
            let mut player = player::<G>(strength);
            let most = 2 * Grade::of(ability).nodes;
            for position in random_game::<G>(strength as u64).iter().step_by(9) {
                let root = root::<G>(position.clone());
                let depth = |told: &[Iteration]| told.last().map(|t| t.depth);
                let nodes = |told: &[Iteration]| told.last().map(|t| t.nodes);
                // Nobody ends these two but the player itself.
                for control in [
                    Control::since(Instant::now(), INFINITE),
                    Control::since(Instant::now(), PONDERING),
                ] {
                    let (_, told) = ask(&mut *player, &root, &Limits::default(), &control);
                    assert!(nodes(&told) <= Some(most), "{} {strength}", G::NAME);
                }
                let (_, told) = ask(&mut *player, &root, &to_nodes(60), &at_once());
                assert!(nodes(&told) <= Some(60), "{} {strength}", G::NAME);
                let limits = Limits {
                    depth: Some(1),
                    ..Limits::default()
                };
                let (_, told) = ask(&mut *player, &root, &limits, &at_once());
                assert_eq!(depth(&told), Some(1));
                // Stopped before it begins, it still has an answer.
                let control = Control::since(Instant::now(), INFINITE);
                control.stop();
                ask(&mut *player, &root, &Limits::default(), &control);
                let some = root.moves.iter().copied().step_by(5).collect();
                let some = root.only(some);
                ask(&mut *player, &some, &Limits::default(), &at_once());
            }
        }
    }
}

#[test]
fn every_grade_keeps_to_its_effort_and_to_all_limits() {
    games::visit(&mut Effort);
}

struct Same;

impl Visitor for Same {
    fn visit<G: Game>(&mut self) {
        let positions = random_game::<G>(1);
        let mut other = 0;
        for position in positions.iter().step_by(3) {
            let root = root::<G>(position.clone());
            let choose = |player: &mut dyn Player<G::Position>, seed| {
                let limits = Limits {
                    seed,
                    ..Limits::default()
                };
                ask(player, &root, &limits, &at_once()).0
            };
            let mut one = player::<G>(2);
            let first = choose(&mut *one, 5);
            // Neither another search nor another player makes a difference.
            let unseeded = choose(&mut *one, 0);
            assert_eq!(choose(&mut *one, 5), first, "{}", G::NAME);
            assert_eq!(choose(&mut *player::<G>(2), 5), first, "{}", G::NAME);
            // Without a seed, a player is consistent within a game.
            assert_eq!(choose(&mut *one, 0), unseeded, "{}", G::NAME);
            other += usize::from((1..6).any(|seed| choose(&mut *one, seed) != first));
        }
        assert!(other > 0, "{}: the seed matters", G::NAME);
    }
}

#[test]
fn with_a_seed_the_choice_is_always_the_same() {
    games::visit(&mut Same);
}

/// Teeko's table knows every value.
#[test]
fn what_a_grade_says_is_proven_is_true() {
    let mut proven = 0;
    for seed in 1..60 {
        let Some(position) = random_game::<Teeko>(seed).into_iter().nth(9) else {
            continue;
        };
        let root = root::<Teeko>(position);
        let mut specialist = <Teeko as Game>::Specialist::default();
        let known = specialist
            .solve(&root, &to_nodes(2), &at_once(), &mut |_| ())
            .expect("the table is there");
        for strength in [1, 8, GRADES] {
            let (best, told) = ask(
                &mut *player::<Teeko>(strength),
                &root,
                &Limits::default(),
                &at_once(),
            );
            let line = known.iter().find(|line| line.pv[0] == best);
            let value = line.expect("a legal move").value;
            for said in told.iter().filter(|said| said.proven) {
                assert_eq!(is_win(said.value), is_win(value), "seed {seed}");
                assert_eq!(is_loss(said.value), is_loss(value), "seed {seed}");
                proven += 1;
            }
        }
    }
    assert!(proven >= 20, "{proven}");
}

/// What anyone would do, though it does not help.
#[test]
fn an_open_four_is_met_on_one_side_by_every_grade() {
    let positions = [
        (
            "gomoku",
            ("size", "20"),
            "h8 a1 h9 b1 h10 c1 h11",
            ["h7", "h12"],
        ),
        (
            "pente",
            ("tournament", "off"),
            "k10 a1 k11 b1 k12 t9 k9",
            ["k8", "k13"],
        ),
    ];
    let limits = Go {
        depth: Some(50),
        ..Go::default()
    };
    for (game, rule, moves, replies) in positions {
        for strength in 1..STRENGTH {
            for seed in 1..=2 {
                let mut engine = Engine::open(game, &[rule]).expect(game);
                let options = [("Hash", 1), ("Strength", strength), ("Seed", seed)];
                for (name, value) in options {
                    engine.set_option(name, &value.to_string()).expect(name);
                }
                engine.play(moves).expect("legal");
                let best = engine.search(&limits).expect("a search").best;
                let met = best.as_deref().is_some_and(|best| replies.contains(&best));
                assert!(met, "{game}, strength {strength}, seed {seed}: {best:?}");
            }
        }
    }
}

/// Points of the first of two strengths over the openings, each played with
/// both colours.
fn points(game: &str, strengths: [usize; 2], openings: u64) -> usize {
    let limits = Go {
        nodes: Some(20_000),
        ..Go::default()
    };
    let mut points = 0;
    for seed in 1..=openings {
        for swapped in [false, true] {
            let mut players = strengths.map(|strength| {
                let mut engine = Engine::open(game, &[]).expect(game);
                for (name, value) in [("Hash", 1), ("Strength", strength), ("Seed", seed as usize)]
                {
                    engine.set_option(name, &value.to_string()).expect(name);
                }
                engine
            });
            for ply in 0.. {
                if players[0].outcome().is_some() || ply > 300 {
                    break;
                }
                let mover =
                    usize::from(players[0].side_to_move() == Side::Second) ^ usize::from(swapped);
                let m = match ply {
                    0..4 => {
                        let legal = players[0].legal_moves();
                        legal[zobrist::key(10 * seed + ply) as usize % legal.len()].clone()
                    }
                    _ => {
                        let found = players[mover].search(&limits).expect("no fault");
                        found.best.expect("the game goes on")
                    }
                };
                for engine in &mut players {
                    engine.play(&m).expect("it is legal");
                }
            }
            let first = match swapped {
                false => Side::First,
                true => Side::Second,
            };
            points += match players[0].outcome() {
                Some(Outcome::Win(side)) if side == first => 2,
                Some(Outcome::Win(_)) => 0,
                _ => 1,
            };
        }
    }
    points
}

#[test]
fn a_higher_grade_wins() {
    for game in quintet::GAMES {
        for strengths in [[6, 1], [12, 6]] {
            let points = points(game, strengths, 5);
            assert!(points >= 15, "{game} {strengths:?}: {points} of 20");
        }
    }
}

#[test]
fn ratings_are_on_the_scale_of_strength() {
    let [lowest, highest] = ELO;
    assert_eq!(levels::strength_of(lowest), 1);
    assert_eq!(levels::strength_of(highest), STRENGTH);
    for elo in lowest..=highest {
        let strength = levels::strength_of(elo);
        assert!(
            (elo - (lowest + 100 * (strength as i64 - 1))).abs() <= 50,
            "{elo}"
        );
    }
}

#[test]
fn abilities_rise() {
    struct Rise;
    impl Visitor for Rise {
        fn visit<G: Game>(&mut self) {
            let abilities = G::ABILITIES;
            assert!(
                abilities.windows(2).all(|pair| pair[0] < pair[1]),
                "{}",
                G::NAME
            );
            assert!(abilities[GRADES - 1] <= 1100, "{}", G::NAME);
        }
    }
    games::visit(&mut Rise);
    let (least, most) = (Grade::of(0), Grade::of(1000));
    assert_eq!((most.blur, most.oversights), (0, 0));
    assert!(least.nodes < most.nodes && least.blur > 0 && least.oversights == 100);
}
