//! Forced wins claimed by threat search, played out against every legal reply
//! using only the rules; and the lists of replies that such a search relies on,
//! checked against the moves that they leave out.

mod common;

use quintet::internals::control::Control;
use quintet::internals::evaluator::{Evaluator, Urgency};
use quintet::internals::game::Game;
use quintet::internals::games::dagennacht::DagEnNacht;
use quintet::internals::games::gomoku::Gomoku;
use quintet::internals::games::pente::Pente;
use quintet::internals::limits::Limits;
use quintet::internals::options::{OptionValues, find};
use quintet::internals::player::{Player, Report, Root};
use quintet::internals::position::{Move, Outcome, Position};
use quintet::internals::search::{AlphaBeta, Effort, Table, ThreatSearch, Vct};
use quintet::internals::specialist::NoSpecialist;
use quintet::internals::value::is_win;
use quintet::internals::zobrist;
use quintet::{Engine, Score};
use std::collections::HashSet;
use std::sync::Arc;

/// The start position under these options.
fn start<G: Game>(options: &str) -> G::Position {
    let mut values = OptionValues::defaults(G::OPTIONS);
    let words: Vec<&str> = options.split_whitespace().collect();
    for pair in words.chunks(2) {
        let spec = find(G::OPTIONS, pair[0]).expect("declared");
        values.set(spec, spec.read(pair[1]).expect("in range"));
    }
    G::start(&values).expect("options that fit")
}

/// Calls `each` with the positions of quick games that the full search plays
/// against itself from random openings of four plies, until `each` returns
/// false.
fn self_play<G: Game>(options: &str, seed: u64, mut each: impl FnMut(&G::Position) -> bool) {
    let table = Arc::new(Table::new(1).expect("memory for a table"));
    let mut player =
        AlphaBeta::<G::Position, G::Evaluator, G::Threats, NoSpecialist>::new(table, NoSpecialist);
    let mut random = zobrist::key(seed);
    loop {
        let mut p = start::<G>(options);
        let mut history = Vec::new();
        while p.outcome().is_none() && history.len() < 120 {
            let mut moves = Vec::new();
            let m = if history.len() < 4 {
                random = zobrist::key(random);
                p.moves(&mut moves);
                moves[(random >> 8) as usize % moves.len()]
            } else {
                if !each(&p) {
                    return;
                }
                let options = OptionValues::defaults(G::OPTIONS);
                let root = Root {
                    history: history.clone(),
                    ..Root::new(p.clone(), &options)
                };
                let limits = Limits {
                    nodes: Some(400),
                    ..Limits::default()
                };
                let control = Control::default();
                player.choose(&root, &limits, &control, &mut |_| {}).best
            };
            history.push(p.key());
            p.play(m);
        }
    }
}

/// The line of a forced win of the side to move, if one is found.
fn claim<G: Game>(
    p: &mut G::Position,
    evaluator: &mut G::Evaluator,
    threats: &mut Vct,
    vcf: u64,
    vct: u64,
) -> Option<Vec<Move>> {
    let mut line = Vec::new();
    let mut on = ThreatSearch::<_, _, G::Threats>::new(p, evaluator, Effort::new(vcf));
    let found = threats.vcf.search(&mut on, &mut line);
    if found.is_some() || vct == 0 {
        return found.map(|_| line);
    }
    let mut on = ThreatSearch::<_, _, G::Threats>::new(p, evaluator, Effort::new(vct));
    threats.search(&mut on, &mut line).map(|_| line)
}

/// Chooses a move in a position that is claimed to be won; `None` gives up.
type Choose<'a, G> =
    dyn FnMut(&mut <G as Game>::Position, &mut <G as Game>::Evaluator) -> Option<Move> + 'a;

/// Whether the side to move wins from here against every reply: `choose`
/// chooses its moves, the rules decide. `shown`: positions known to be won.
/// `evaluator` is of this position: constructing a new one for each position
/// would take most of the time.
fn is_won<G: Game>(
    p: &mut G::Position,
    evaluator: &mut G::Evaluator,
    shown: &mut HashSet<u64>,
    choose: &mut Choose<G>,
) -> bool {
    if shown.contains(&p.key()) {
        return true;
    }
    let side = p.side_to_move();
    let Some(m) = choose(p, evaluator) else {
        println!("no win at {}", G::setup(p).write_fen(&G::SIDES, G::EXTRA));
        return false;
    };
    let undo = p.play(m);
    evaluator.play(p, m, &undo);
    let won = match p.outcome() {
        Some(outcome) => outcome == Outcome::Win(side),
        None => {
            let mut replies = Vec::new();
            p.moves(&mut replies);
            replies.into_iter().all(|r| {
                let undo = p.play(r);
                evaluator.play(p, r, &undo);
                // A reply may lose at once: by a poof.
                let won = match p.outcome() {
                    Some(outcome) => outcome == Outcome::Win(side),
                    None => is_won::<G>(p, evaluator, shown, choose),
                };
                evaluator.undo(p, r, &undo);
                p.undo(r, undo);
                won
            })
        }
    };
    evaluator.undo(p, m, &undo);
    p.undo(m, undo);
    if won {
        shown.insert(p.key());
    }
    won
}

fn threats() -> Vct {
    let table = Table::new(16).expect("memory");
    table.begin_search(true);
    Vct::new(Arc::new(table))
}

/// The results of a run of claims.
#[derive(Default)]
struct Tally {
    positions: usize,
    /// Wins by threats to win with the next move.
    fours: usize,
    /// Wins by threats of such wins.
    threes: usize,
    longest: usize,
    known: HashSet<u64>,
}

impl Tally {
    /// Searches for a forced win at `p`, where nobody wins with the next move;
    /// a win claimed for the first time must hold against every reply. `vcf`
    /// and `vct`: limits of the search.
    fn look<G: Game>(
        &mut self,
        p: &G::Position,
        threats: &mut Vct,
        options: &str,
        [vcf, vct]: [u64; 2],
    ) {
        let mut p = p.clone();
        let mut evaluator = G::Evaluator::new(&p);
        if let Urgency::Win(_) = evaluator.urgency(&p) {
            return;
        }
        self.positions += 1;
        let by_fours = claim::<G>(&mut p, &mut evaluator, threats, vcf, 0).is_some();
        let Some(line) = claim::<G>(&mut p, &mut evaluator, threats, vcf, vct) else {
            return;
        };
        if !self.known.insert(p.key()) {
            return;
        }
        let fen = G::setup(&p).write_fen(&G::SIDES, G::EXTRA);
        // The line itself is legal and wins.
        let mut end = p.clone();
        for &m in &line {
            assert!(end.is_legal(m), "{options}: {fen}");
            end.play(m);
        }
        let won = end.outcome() == Some(Outcome::Win(p.side_to_move()));
        assert!(won, "{options}: the line of {fen} does not win");
        let mut choose = |p: &mut G::Position, evaluator: &mut G::Evaluator| {
            let line = claim::<G>(p, evaluator, threats, 20_000, 400_000);
            line.map(|line| line[0])
        };
        assert!(
            is_won::<G>(&mut p, &mut evaluator, &mut HashSet::new(), &mut choose),
            "{options}: a claim fails at {fen}"
        );
        *if by_fours {
            &mut self.fours
        } else {
            &mut self.threes
        } += 1;
        self.longest = self.longest.max(line.len());
    }

    fn claims(&self) -> usize {
        self.fours + self.threes
    }

    fn print(&self, what: &str) {
        println!(
            "{what}: {} positions, {} wins by threats to win, {} by threats of such wins, \
             the longest of {} plies",
            self.positions, self.fours, self.threes, self.longest
        );
    }
}

/// Replays so many claims from self-play, none of them a win with the next
/// move.
fn replay<G: Game>(options: &str, claims: usize) {
    let mut threats = threats();
    let mut tally = Tally::default();
    self_play::<G>(options, claims as u64, |p| {
        tally.look::<G>(p, &mut threats, options, [2_000, 20_000]);
        tally.claims() < claims
    });
    tally.print(&format!("{} {options}", G::NAME));
}

/// The full search, with the settings used for proofs here.
struct Searcher<G: Game> {
    player: AlphaBeta<G::Position, G::Evaluator, G::Threats, NoSpecialist>,
    threats: Vct,
    shown: HashSet<u64>,
}

impl<G: Game> Searcher<G> {
    fn new() -> Searcher<G> {
        let table = Arc::new(Table::new(64).expect("memory for a table"));
        Searcher {
            player: AlphaBeta::new(table, NoSpecialist),
            threats: threats(),
            shown: HashSet::new(),
        }
    }

    /// The line of a win that the search proves within so many nodes.
    fn proof(&mut self, p: &G::Position, nodes: u64) -> Option<Vec<Move>> {
        let root = Root::new(p.clone(), &OptionValues::defaults(G::OPTIONS));
        let limits = Limits {
            nodes: Some(nodes),
            mate: Some(200),
            ..Limits::default()
        };
        let mut last = None;
        let control = Control::default();
        self.player.choose(&root, &limits, &control, &mut |report| {
            if let Report::Iteration(line) = report {
                last = Some(line);
            }
        });
        last.filter(|l| l.proven && is_win(l.value)).map(|l| l.pv)
    }

    /// Whether the side to move wins from here against every reply, with moves
    /// chosen by threat search and by the full search.
    fn is_won(&mut self, p: &mut G::Position) -> bool {
        let mut evaluator = G::Evaluator::new(p);
        let mut shown = std::mem::take(&mut self.shown);
        let won = is_won::<G>(p, &mut evaluator, &mut shown, &mut |p, evaluator| {
            let by_threats = claim::<G>(p, evaluator, &mut self.threats, 1_000, 2_000);
            let line = by_threats.or_else(|| self.proof(p, 400_000));
            line.map(|line| line[0])
        });
        self.shown = shown;
        won
    }
}

/// Replays so many wins from self-play that the full search proves and the
/// threat search alone, with few nodes, does not.
fn replay_search<G: Game>(options: &str, proofs: usize) {
    let mut searcher = Searcher::<G>::new();
    let (mut positions, mut found, mut longest) = (0, 0, 0);
    self_play::<G>(options, 50 + proofs as u64, |p| {
        positions += 1;
        let mut p = p.clone();
        let mut evaluator = G::Evaluator::new(&p);
        let quick = claim::<G>(&mut p, &mut evaluator, &mut searcher.threats, 1_000, 2_000);
        if quick.is_some() || searcher.shown.contains(&p.key()) {
            return true;
        }
        let Some(line) = searcher.proof(&p, 10_000) else {
            return true;
        };
        let fen = G::setup(&p).write_fen(&G::SIDES, G::EXTRA);
        let mut end = p.clone();
        for &m in &line {
            assert!(end.is_legal(m), "{options}: {fen}");
            end.play(m);
        }
        assert!(searcher.is_won(&mut p), "{options}: a proof fails at {fen}");
        found += 1;
        longest = longest.max(line.len());
        found < proofs
    });
    println!(
        "{} {options}: {positions} positions, {found} wins proven by the search, \
         the longest of {longest} plies",
        G::NAME
    );
}

/// Where a forced win of the opponent is found, every move left out by the list
/// of defences loses: to a forced win by one, or as `otherwise` says of the FEN of the
/// position after it. The numbers of moves listed and left out; `None`: there is none.
fn check_defences<G: Game>(
    p: &G::Position,
    threats: &mut Vct,
    options: &str,
    mut otherwise: impl FnMut(&str) -> bool,
) -> Option<(usize, usize)> {
    let mut p = p.clone();
    let mut evaluator = G::Evaluator::new(&p);
    if evaluator.urgency(&p) != Urgency::Quiet {
        return None;
    }
    let mut list = Vec::new();
    let effort = Effort::new(2_000);
    let mut on = ThreatSearch::<_, _, G::Threats>::new(&mut p, &mut evaluator, effort);
    threats.vcf.threatened(&mut on, &mut list)?;
    let mut all = common::moves(&p);
    for s in &list {
        assert!(all.contains(&s.mv));
        assert_eq!(list.iter().filter(|o| o.mv == s.mv).count(), 1);
    }
    all.retain(|&m| list.iter().all(|s| s.mv != m));
    let left_out = all.len();
    for m in all {
        let undo = p.play(m);
        assert!(p.outcome().is_none());
        evaluator.play(&p, m, &undo);
        let lost = claim::<G>(&mut p, &mut evaluator, threats, 100_000, 0).is_some()
            || otherwise(&common::fen::<G>(&p));
        evaluator.undo(&p, m, &undo);
        p.undo(m, undo);
        assert!(
            lost,
            "{options}: {} might be a defence at {}",
            G::write_move(&p, m),
            common::fen::<G>(&p)
        );
    }
    Some((list.len(), left_out))
}

/// Checks so many lists in games of the engine against itself.
fn defences<G: Game>(options: &str, lists: usize) {
    let mut threats = threats();
    let (mut seen, mut listed, mut left_out) = (0, 0, 0);
    self_play::<G>(options, 99 + lists as u64, |p| {
        let found = check_defences::<G>(p, &mut threats, options, |_| false);
        if let Some((some, others)) = found {
            (seen, listed, left_out) = (seen + 1, listed + some, left_out + others);
        }
        // Where nothing was left out, nothing was checked.
        seen < lists || left_out == 0
    });
    assert!(left_out > 0, "{options}");
    println!(
        "{} {options}: {seen} lists of {listed} defences, {left_out} moves left out",
        G::NAME
    );
}

/// Checks so many lists on boards thrown at random, where a full search may be needed
/// to win against a move that is left out.
fn thrown_defences<G: Game>(rules: &str, lists: usize) {
    let words: Vec<&str> = rules.split_whitespace().collect();
    let pairs: Vec<(&str, &str)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let mut engine = Engine::open(G::NAME, &pairs).expect("rules");
    engine.set_option("Hash", "1").expect("a size");
    let mut is_won = |fen: &str| {
        engine.set_fen(fen).expect("a position");
        let limits = quintet::Limits {
            nodes: Some(50_000),
            ..quintet::Limits::default()
        };
        let found = engine.search(&limits).expect("a search");
        found.is_proven() && matches!(found.score(), Score::Mate(plies) if plies > 0)
    };
    let values = common::rules::<G>(rules);
    let mut threats = threats();
    let mut dice = common::Dice(lists as u64);
    let (mut seen, mut left_out) = (0, 0);
    while seen < lists {
        let percent = 20 + dice.below(45);
        let found = common::thrown::<G>(&values, percent, 8, &mut dice)
            .and_then(|p| check_defences::<G>(&p, &mut threats, rules, &mut is_won));
        if let Some((_, others)) = found {
            (seen, left_out) = (seen + 1, left_out + others);
        }
    }
    assert!(left_out > seen, "{rules}: {left_out}");
}

#[test]
fn defences_of_thrown_boards_leave_out_no_defence() {
    for variant in ["pente", "keryo", "poof", "boat", "o"] {
        thrown_defences::<Pente>(&format!("size 9 tournament off variant {variant}"), 20);
    }
    for rules in [
        "size 9 line 5",
        "size 9 line 5 rule standard",
        "width 10 height 8 line 5",
    ] {
        thrown_defences::<Gomoku>(rules, 20);
    }
}

const DAGENNACHT: [&str; 8] = [
    "size 11",
    "size 11 restriction on",
    "size 11 back on",
    "size 11 restriction on back on",
    "size 15",
    "size 15 restriction on",
    "size 15 back on",
    "size 15 restriction on back on",
];

#[test]
fn dagennacht_wins_stand_every_reply() {
    for options in DAGENNACHT {
        replay::<DagEnNacht>(options, 3);
    }
}

/// Takes minutes.
#[test]
#[ignore = "takes minutes: cargo test --release --test forced -- --ignored"]
fn dagennacht_thousand_wins_stand_every_reply() {
    for options in DAGENNACHT {
        replay::<DagEnNacht>(options, 125);
    }
}

#[test]
fn dagennacht_proofs_of_the_search_stand_every_reply() {
    for options in ["size 11", "size 11 restriction on back on"] {
        replay_search::<DagEnNacht>(options, 1);
    }
}

#[test]
fn dagennacht_defences_leave_out_no_defence() {
    for options in DAGENNACHT {
        defences::<DagEnNacht>(options, 6);
    }
}

const GOMOKU: [&str; 5] = [
    "size 15",
    "size 15 rule standard",
    "size 20",
    "size 12 line 6",
    "size 9 line 4",
];

#[test]
fn gomoku_wins_stand_every_reply() {
    // Six in a row is rarely forced, so this takes long.
    for options in GOMOKU.into_iter().filter(|o| !o.contains("line 6")) {
        replay::<Gomoku>(options, 2);
    }
}

/// 500 under each set of rules in which wins are often forced.
#[test]
#[ignore = "takes minutes: cargo test --release --test forced -- --ignored"]
fn gomoku_two_thousand_wins_stand_every_reply() {
    for options in GOMOKU.into_iter().filter(|o| !o.contains("line 6")) {
        replay::<Gomoku>(options, 500);
    }
}

#[test]
fn gomoku_proofs_of_the_search_stand_every_reply() {
    for options in ["size 15", "size 15 rule standard", "size 9 line 4"] {
        replay_search::<Gomoku>(options, 1);
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release --test forced -- --ignored"]
fn gomoku_proofs_of_the_search_by_the_dozen_stand_every_reply() {
    for options in GOMOKU.into_iter().filter(|o| !o.contains("line 6")) {
        replay_search::<Gomoku>(options, 25);
    }
}

#[test]
fn gomoku_defences_leave_out_no_defence() {
    for options in GOMOKU {
        defences::<Gomoku>(options, 5);
    }
}

const PENTE: [&str; 16] = [
    "",
    "variant keryo",
    "variant g",
    "variant poof",
    "tournament off",
    "size 13 variant keryo tournament off",
    "size 13 variant poof tournament off",
    "size 9",
    "size 9 variant keryo",
    "size 9 variant poof",
    "variant boat",
    "size 13 variant boat tournament off",
    "size 9 variant boat",
    "variant o",
    "size 13 variant o tournament off",
    "size 9 variant o",
];

#[test]
fn pente_wins_stand_every_reply() {
    for options in PENTE {
        replay::<Pente>(options, 1);
    }
}

/// Checks so many positions of self-play.
fn positions_of_self_play(options: &str, positions: usize) {
    let mut threats = threats();
    let mut tally = Tally::default();
    self_play::<Pente>(options, 7, |p| {
        tally.look::<Pente>(p, &mut threats, options, [2_000, 20_000]);
        tally.positions < positions
    });
    tally.print(&format!("pente {options}"));
}

#[test]
#[ignore = "takes minutes: cargo test --release --test forced -- --ignored"]
fn pente_claims_in_a_thousand_positions_of_each_variant() {
    let variant = |options: &str| {
        let after = options.split("variant ").nth(1).unwrap_or_default();
        after.split(' ').next().unwrap_or_default().to_string()
    };
    for options in PENTE {
        let alike = PENTE.iter().filter(|o| variant(o) == variant(options));
        positions_of_self_play(options, 1_000usize.div_ceil(alike.count()));
    }
}

/// Positions of real games from 15 plies to one before the end, spread over the
/// games, which are not part of this repository.
#[test]
#[ignore = "takes minutes; needs shared/oracle: cargo test --release --test forced -- --ignored"]
fn pente_claims_in_two_thousand_positions_of_real_games() {
    let games = common::pente_games::read();
    let won: Vec<_> = games
        .iter()
        .filter(|g| matches!(g.end.outcome(), Some(Outcome::Win(_))))
        .collect();
    let mut threats = threats();
    let mut tally = Tally::default();
    let mut looked = 0;
    for game in won.iter().step_by((won.len() * 15 / 2_000).max(1)) {
        let mut p = game.start.clone();
        for (ply, &m) in game.moves.iter().enumerate() {
            if ply + 15 >= game.moves.len() && looked < 2_000 {
                looked += 1;
                tally.look::<Pente>(&p, &mut threats, "real games", [2_000, 20_000]);
                if looked % 100 == 0 {
                    tally.print(&format!("after {looked} positions"));
                }
            }
            p.play(m);
        }
    }
    println!("{looked} positions, those left out where the side to move wins at once");
    tally.print("real games of pente");
    assert!(looked >= 2_000);
}

#[test]
fn pente_proofs_of_the_search_stand_every_reply() {
    let variants = ["variant keryo", "size 9 variant poof"];
    let held = ["size 9 variant boat", "variant o"];
    for options in [""].into_iter().chain(variants).chain(held) {
        replay_search::<Pente>(options, 1);
    }
}

#[test]
#[ignore = "takes minutes: cargo test --release --test forced -- --ignored"]
fn pente_proofs_of_the_search_by_the_dozen_stand_every_reply() {
    for options in PENTE {
        replay_search::<Pente>(options, 3);
    }
}

#[test]
fn pente_defences_leave_out_no_defence() {
    for options in PENTE {
        defences::<Pente>(options, 2);
    }
}
