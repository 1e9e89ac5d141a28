//! What a search of several lines, or of some of the moves, tells a front end.

mod common;

use common::Dice;
use quintet::{Analysis, Bound, Engine, Limits, Score};
use std::time::{Duration, Instant};

/// An engine after up to `most` random moves, the game not over.
fn after_random_moves(game: &str, most: usize, dice: &mut Dice) -> Engine {
    loop {
        let mut engine = Engine::open(game, &[]).expect("a game");
        let plies = dice.below(most + 1);
        for _ in 0..plies {
            let moves = engine.legal_moves();
            if moves.is_empty() {
                break;
            }
            engine.play(&moves[dice.below(moves.len())]).expect("legal");
        }
        if engine.outcome().is_none() {
            return engine;
        }
    }
}

/// An engine after six random moves, before anyone can have won.
fn after_six_random_moves(game: &str, size: &str, dice: &mut Dice) -> Engine {
    let mut engine = Engine::open(game, &[("size", size)]).expect("a game");
    for _ in 0..6 {
        let moves = engine.legal_moves();
        engine.play(&moves[dice.below(moves.len())]).expect("legal");
    }
    engine
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// A search so short that it has seen some of the moves lose, and not the others, plays
/// one of the others and tells no loss.
#[test]
fn moves_that_lose_say_nothing_of_those_not_searched() {
    let positions = [
        (
            "9",
            "pente",
            "e5 b9 c2 g8 a5 h2 d9 c8 h3 b7 a1 e4 j2 h1 j5 a4 c6 b4 h4 e6 b5 j3 c3 j8 f3 d2 j6 h6 \
             j7 g2 g5 b3 g7 d4 a2 h5 e2 d7 h9 g6 e1 d3",
        ),
        (
            "7",
            "keryo",
            "d4 f6 a2 e4 a5 b5 c5 a3 d2 d3 f5 f7 b6 c7 a1 f2 d1 g6 e2 f1 c3 e6 f4 b7 e7 e1 a7 b1 \
             b3 g1 c2 d7 e5 g4 c1 e3 a4 d6 d5 b2 d3 g5 g7 f3 a6 d4 g2 f4 c3 c2",
        ),
    ];
    for (size, variant, moves) in positions {
        for most in [40, 60, 100, 256] {
            let rules = [("size", size), ("variant", variant)];
            let mut engine = Engine::open("pente", &rules).expect("a game");
            engine.play(moves).expect("legal");
            let found = engine.search(&nodes(most)).expect("a move");
            let score = found.variations[0].score;
            assert_ne!(score, Score::Mate(-2), "{size} {variant} {most}");
        }
    }
}

/// Where the opponent threatens to win and no reply helps, a search that is too short to try
/// all other moves, too, plays a reply, and never tells that the position is level.
#[test]
fn a_short_search_meets_a_threat_that_it_cannot_stop() {
    let positions = [
        ("gomoku", "", "h8 a1 h9 b1 h10 c1 h11", &["h7", "h12"][..]),
        ("gomoku", "20", "h8 a1 h9 b1 h10 c1 h11", &["h7", "h12"]),
        ("pente", "", "k10 a1 k11 b1 k12 t9 k9", &["k8", "k13"]),
    ];
    for (game, size, moves, replies) in positions {
        for lines in ["1", "2"] {
            for most in [0, 1, 2, 4, 8, 16, 50, 100, 200, 222, 300, 400, 1_000] {
                let rules: &[_] = match game {
                    "pente" => &[("tournament", "off")],
                    _ if size.is_empty() => &[],
                    _ => &[("size", size)],
                };
                let mut engine = Engine::open(game, rules).expect("a game");
                engine.set_option("MultiPV", lines).expect("an option");
                engine.play(moves).expect("legal");
                let found = engine.search(&nodes(most)).expect("a move");
                let context = format!("{game} {size} {lines} {most}: {found:?}");
                let best = found.best.as_deref().expect("a move");
                assert!(replies.contains(&best), "{context}");
                // Before a reply has been searched, the score is the static value.
                assert!(most < 8 || worth(found.score()) < 0, "{context}");
            }
        }
    }
}

/// A number that is larger for better scores.
fn worth(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(plies) if plies > 0 => 1_000_000 - plies,
        Score::Mate(plies) => -1_000_000 - plies,
    }
}

fn assert_in_order(found: &Analysis, context: &str) {
    let lines = &found.variations;
    assert_eq!(found.best.as_ref(), lines[0].moves.first(), "{context}");
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line.rank as usize, i + 1, "{context}");
        let first = &line.moves[0];
        let earlier = lines[..i].iter().all(|l| l.moves[0] != *first);
        assert!(earlier, "{context}: {first} twice");
    }
    for pair in lines.windows(2) {
        let in_order = worth(pair[0].score) >= worth(pair[1].score);
        assert!(in_order, "{context}: {:?} before {:?}", pair[0], pair[1]);
        // They are told together.
        let at = [0, 1].map(|i| (pair[i].nodes, pair[i].time));
        assert_eq!(at[0], at[1], "{context}");
        // Only a line that the last iteration had no time for is a bound.
        assert!(
            pair[0].bound == Bound::Exact || pair[1].depth <= pair[0].depth,
            "{context}"
        );
    }
}

#[test]
fn lines_are_in_order_and_the_best_one_is_played() {
    for game in quintet::GAMES {
        let mut dice = Dice(1);
        let mut several = [0; 2];
        for number in 0..20 {
            let mut engine = after_random_moves(game, 30, &mut dice);
            // It is cleared for each of them.
            engine.set_option("Hash", "4").expect("in range");
            let legal = engine.legal_moves().len();
            for lines in [2, 4, 8] {
                for threads in ["1", "2"] {
                    engine
                        .set_option("MultiPV", &lines.to_string())
                        .expect("in range");
                    engine.set_option("Threads", threads).expect("in range");
                    engine.forget();
                    let limit = 200 + dice.below(4_000) as u64;
                    let found = engine.search(&nodes(limit)).expect("a search");
                    let context = format!(
                        "{game} {number}: {}, {lines} lines, {threads} threads, {limit} nodes",
                        engine.fen()
                    );
                    assert_in_order(&found, &context);
                    let told = found.variations.len();
                    assert!(told <= lines.min(legal), "{context}");
                    several[usize::from(told > 1)] += 1;
                }
            }
        }
        // Few are told where a side has won, or has few moves that do not lose.
        assert!(several[1] > several[0], "{game}: {several:?}");
    }
}

#[test]
fn as_many_lines_are_told_as_there_are_moves() {
    for (game, rules) in [
        ("gomoku", ("size", "7")),
        ("pente", ("size", "9")),
        ("dagennacht", ("size", "11")),
        ("teeko", ("variant", "standard")),
    ] {
        let mut engine = Engine::open(game, &[rules]).expect("a game");
        engine.set_option("MultiPV", "500").expect("in range");
        let depth = Limits {
            depth: Some(2),
            ..Limits::default()
        };
        let found = engine.search(&depth).expect("a search");
        assert_eq!(found.variations.len(), engine.legal_moves().len(), "{game}");
        assert_in_order(&found, game);
    }
}

/// The others get only a share of the best one's nodes, but not in the first iteration.
#[test]
fn all_lines_are_there_where_one_is_ahead() {
    for (game, start) in [
        ("gomoku", "h8 i9"),
        ("gomoku", ""),
        ("pente", "k10"),
        ("dagennacht", ""),
    ] {
        let mut engine = Engine::open(game, &[]).expect("a game");
        if !start.is_empty() {
            engine.play(start).expect("legal");
        }
        for lines in [10, 60] {
            engine
                .set_option("MultiPV", &lines.to_string())
                .expect("in range");
            engine.forget();
            let found = engine.search(&nodes(20_000)).expect("a search");
            assert_eq!(found.variations.len(), lines, "{game} {start}");
            assert_in_order(&found, game);
        }
    }
}

/// A win as short as was asked for is the answer, whatever the other lines are worth.
#[test]
fn go_mate_ends_with_the_first_win_that_is_short_enough() {
    for clock in [None, Some(60_000)] {
        let mut engine = Engine::open("gomoku", &[]).expect("a game");
        engine.set_option("MultiPV", "4").expect("in range");
        engine.play("h8 a1 i8 a3 j8 c1").expect("legal");
        let limits = Limits {
            mate: Some(40),
            nodes: Some(5_000_000),
            time: [clock, clock],
            ..Limits::default()
        };
        let found = engine.search(&limits).expect("a search");
        let best = &found.variations[0];
        assert!(best.proven && best.moves.len() <= 5, "{best:?}");
        assert!(best.nodes < 50_000, "{best:?}");
    }
}

/// In games from random openings up to the first win that a search proves with one line:
/// how often it is found with two and with three lines, by searches of so many nodes.
/// Short searches choose the moves and say where it is worth looking.
fn found_with_more_lines(game: &str, size: &str, most: u64) -> [u32; 2] {
    let search = |lines: usize, most: u64, engine: &mut Engine| {
        let lines = lines.to_string();
        engine.set_option("MultiPV", &lines).expect("in range");
        engine.search(&nodes(most)).expect("a search")
    };
    let wins_with = |lines: usize, engine: &mut Engine| {
        engine.forget();
        let line = &search(lines, most, engine).variations[0];
        line.proven && matches!(line.score, Score::Mate(plies) if plies > 4)
    };
    let mut wins = [0; 2];
    let mut dice = Dice(7);
    let mut proven = 0;
    while proven < 24 {
        let mut engine = after_six_random_moves(game, size, &mut dice);
        // It is cleared for each of them.
        engine.set_option("Hash", "4").expect("in range");
        while engine.outcome().is_none() {
            let short = search(1, most / 40, &mut engine);
            let better = worth(short.variations[0].score) >= 400;
            if better && wins_with(1, &mut engine) {
                proven += 1;
                for (i, lines) in [2, 3].into_iter().enumerate() {
                    wins[i] += u32::from(wins_with(lines, &mut engine));
                }
                break;
            }
            engine.play(&short.best.expect("a move")).expect("legal");
        }
    }
    wins
}

// Of 24 with one line, some of them with its last nodes. A test for each game, as they
// take long.

#[test]
fn a_forced_win_of_gomoku_is_found_whatever_the_number_of_lines() {
    let wins = found_with_more_lines("gomoku", "15", 20_000);
    assert!(wins[0] >= 21 && wins[1] >= 21, "{wins:?}");
}

#[test]
fn a_forced_win_of_pente_is_found_whatever_the_number_of_lines() {
    let wins = found_with_more_lines("pente", "13", 10_000);
    assert!(wins[0] >= 21 && wins[1] >= 21, "{wins:?}");
}

#[test]
fn a_forced_win_of_dagennacht_is_found_whatever_the_number_of_lines() {
    let wins = found_with_more_lines("dagennacht", "11", 10_000);
    assert!(wins[0] >= 21 && wins[1] >= 21, "{wins:?}");
}

/// Searches of what to reply to this move, just played, of the position after another
/// reply, and of the one before the move, without the game: none of them unsays what
/// was promised.
fn look_around(engine: &mut Engine, last: &str, dice: &mut Dice) {
    let search = |engine: &mut Engine| {
        if engine.outcome().is_none() {
            engine.search(&nodes(40)).expect("a search");
        }
    };
    search(engine);
    let others = engine.legal_moves();
    let other = others.get(dice.below(others.len().max(1)));
    engine
        .play(other.expect("the game goes on"))
        .expect("legal");
    search(engine);
    engine.undo(2).expect("played");
    search(engine);
    engine.play(last).expect("legal");
}

#[test]
fn a_proven_win_never_takes_longer_while_both_sides_follow_it() {
    for (game, size) in [("gomoku", "15"), ("pente", "13"), ("dagennacht", "11")] {
        let mut dice = Dice(11);
        let mut followed = 0;
        while followed < 4 {
            let mut engine = after_six_random_moves(game, size, &mut dice);
            let mut promised: Option<(i32, String)> = None;
            while engine.outcome().is_none() {
                // What is promised is kept with hardly any search.
                let limit = if promised.is_some() { 50 } else { 20_000 };
                let found = engine.search(&nodes(limit)).expect("a search");
                let line = &found.variations[0];
                let won = match line.score {
                    Score::Mate(plies) if plies > 0 && line.proven => Some(plies),
                    _ => None,
                };
                if let Some((most, context)) = &promised {
                    assert!(won.is_some_and(|n| n <= *most), "{context}: {line:?}");
                }
                engine.play(&found.best.expect("a move")).expect("legal");
                let Some(plies) = won.filter(|n| *n > 2) else {
                    continue;
                };
                look_around(&mut engine, &line.moves[0], &mut dice);
                let reply = line.moves.get(1).expect("the whole line");
                let context = format!("{game} {}: {line:?}", engine.fen());
                engine.play(reply).expect("legal");
                followed += i32::from(promised.is_none() && plies > 4);
                promised = Some((plies - 2, context));
            }
        }
    }
}

/// What was told as a proven win stays one, and does not get longer.
#[test]
fn a_proven_win_is_not_unsaid_by_a_deeper_search() {
    let mut dice = Dice(3);
    let mut wins = 0;
    let told = |engine: &mut Engine, limits: &Limits| {
        let mut proven: Option<i32> = None;
        let fen = engine.fen();
        for line in engine.start(limits).expect("a search") {
            let mate = match line.score {
                Score::Mate(plies) if plies > 0 && line.proven => Some(plies),
                _ => None,
            };
            if let Some(most) = proven {
                let kept = mate.is_some_and(|plies| plies <= most);
                assert!(kept, "{fen}: mate {most}, then {line:?}");
            }
            proven = mate;
        }
        u32::from(proven.is_some())
    };
    let limits = Limits {
        depth: Some(7),
        nodes: Some(20_000),
        ..Limits::default()
    };
    for moves in ["i8 h7 j9 c2 k8 n11", "d7 c8 l11 a14 k10 k2 k12 e8"] {
        let mut engine = Engine::open("dagennacht", &[]).expect("a game");
        engine.play(moves).expect("legal");
        wins += told(&mut engine, &limits);
    }
    assert_eq!(wins, 2);
    // In a long search, by a bound of another move neither.
    let mut engine = Engine::open("gomoku", &[]).expect("a game");
    let moves = "f9 g11 f6 g5 k11 f10 e9 g9 e11 g8 g7 h6 i7 f7 e5 h8 e8 g10 g12 e10 e6 e7 h10 i8 j8 \
                 h5 h7 j7 k6 g4 f3 i11 i10 g3 g6 d4 d10 c9 l10 k8 i6 j5 i5 h4 j4 g2 g1 h2 h3 f2 e2 \
                 j2 i2 e3 e4 i3 k1 d6";
    engine.play(moves).expect("legal");
    assert_eq!(told(&mut engine, &nodes(1_500_000)), 1);
    for game in ["dagennacht", "gomoku", "pente"] {
        for _ in 0..40 {
            let mut engine = after_random_moves(game, 24, &mut dice);
            // Made anew for each of them.
            engine.set_option("Hash", "4").expect("in range");
            wins += told(&mut engine, &limits);
        }
    }
    assert!(wins > 8, "{wins}");
}

/// A move that was found better than the one before is played, even if the search ends
/// before it has found by how much.
#[test]
fn a_better_move_is_played_though_its_value_is_a_bound() {
    let mut bounds = 0;
    // Bounds are told after a second, which a fast machine fills with many nodes. Which
    // of these have one that late depends on the evaluation; once one has been seen the
    // others need no more than a short look.
    for (game, moves, most) in [
        (
            "gomoku",
            "n1 l3 j5 m4 n10 i5 m10 c2 g3 l5 k10 j10",
            3_000_000,
        ),
        ("gomoku", "h8 g8 f7 i7", 5_000_000),
        ("pente", "k10 e8 k13 g10 h11 g14 f16", 5_000_000),
    ] {
        let most = if bounds > 0 { most / 20 } else { most };
        let mut engine = Engine::open(game, &[]).expect("a game");
        engine.play(moves).expect("legal");
        let mut search = engine.start(&nodes(most)).expect("a search");
        let (mut best, mut last) = (None, None);
        while let Some(line) = search.next() {
            let first = line.moves.first().cloned();
            if line.bound == Bound::Exact {
                best.clone_from(&first);
            } else if line.bound == Bound::Lower && best.is_some() && first != best {
                bounds += 1;
                search.stop();
            }
            last = first;
        }
        let found = search.finish().expect("a result");
        assert_eq!(found.best, last, "{game} {moves}");
    }
    assert!(bounds > 0);
}

/// Wins by quiet moves, of which a search for threats sees nothing, are proven against
/// all replies, and then played out whatever the replies are, each time as fast as was
/// told.
#[test]
fn a_win_by_quiet_moves_is_proven_and_played_out() {
    for fen in [
        "20/20/20/13w6/11bw7/10wwb1bbw3/9bb1wwbwb3/8bw1wwbb1b3/10bbwbwwwbw1/10wbw7/11bbw6/20/20/14w5/7b12/20/20/20/20/20 b",
        "20/20/20/20/20/12b7/20/3bwww13/20/20/20/14wbb3/13w6/14w5/13b1b4/20/20/20/20/20 b",
    ] {
        let mut engine = Engine::open("gomoku", &[("size", "20")]).expect("a game");
        engine.set_fen(fen).expect("a position");
        let found = engine.search(&nodes(300_000)).expect("a search");
        let line = &found.variations[0];
        assert!(line.proven, "{fen}: {line:?}");
        let Score::Mate(told) = line.score else {
            panic!("{line:?}");
        };
        let (mut dice, mut longest) = (Dice(5), 0);
        for game in 0..20 {
            let (mut most, mut plies) = (told, 0);
            while engine.outcome().is_none() {
                let found = engine.search(&nodes(50)).expect("a search");
                let line = &found.variations[0];
                let wins = matches!(line.score, Score::Mate(n) if n > 0 && n <= most);
                assert!(wins && line.proven, "{fen} {game}: {line:?}");
                let Score::Mate(n) = line.score else { break };
                engine.play(&found.best.expect("a move")).expect("legal");
                plies += 1;
                let legal = engine.legal_moves();
                if legal.is_empty() {
                    break;
                }
                // The best reply, one of the likely ones, or any.
                let reply = match (game, line.moves.get(1)) {
                    (0, Some(reply)) => reply.clone(),
                    _ => legal[dice.below(legal.len())].clone(),
                };
                engine.play(&reply).expect("legal");
                plies += 1;
                most = n - 2;
            }
            longest = longest.max(plies);
            assert!(plies <= told, "{fen} {game}: {plies} of {told}");
            engine.undo(plies as u32).expect("played");
        }
        assert!(longest > 10, "{fen}: {longest}");
    }
}

/// A win that an iteration meets is what the proof beside it looks for from then on. The
/// iterations go on all the same: here they tell the win long before that is proven.
#[test]
fn a_win_that_is_met_does_not_end_the_iterations() {
    let mut engine = Engine::open("gomoku", &[("size", "20")]).expect("a game");
    let moves = "l12 g11 f9 p7 l8 i11 m11 h10 j14 k13 j12 j11 h11";
    engine.play(moves).expect("legal");
    let found = engine.search(&nodes(300_000)).expect("a search");
    let line = &found.variations[0];
    assert!(line.depth > 10, "{line:?}");
    assert!(matches!(line.score, Score::Mate(n) if n > 0), "{line:?}");
}

/// A win that was proven in one game costs no time in another one, in which all its
/// stones come up among hundreds of others.
#[test]
fn a_win_of_another_game_takes_no_time() {
    let rules = [("size", "22"), ("tie", "full")];
    let mut engine = Engine::open("gomoku", &rules).expect("a game");
    engine.play("l12 l11 k10 n8 k12 l10").expect("legal");
    let found = engine.search(&nodes(400_000)).expect("a search");
    assert!(found.variations[0].proven, "{:?}", found.variations);
    let mut dice = Dice(8);
    let mut stones = 6;
    while stones < 420 {
        let legal = engine.legal_moves();
        engine.play(&legal[dice.below(legal.len())]).expect("legal");
        stones += 1;
        if engine.outcome().is_some() {
            engine.undo(1).expect("played");
            stones -= 1;
        }
    }
    let took = (0..3).map(|_| {
        let before = Instant::now();
        engine.search(&nodes(1)).expect("a search");
        before.elapsed()
    });
    // Before, more than a second.
    let least = took.min().expect("three searches");
    assert!(least < Duration::from_millis(400), "{least:?}");
}

/// In Boat-Pente a stone may be a bait: the stone that makes the five captures it,
/// and with it one that guarded the row. In Poof- and O-Pente each reply that could
/// stop a win may lose at once, so the others last longer. Wins that were told too
/// short, or were none.
#[test]
fn wins_of_pente_take_as_long_as_is_told() {
    let boat = "13/5bbb5/13/6w6/5b7/4b2w5/6b6/3b9/3bw1b6/7b5/1wbbw8/1w11/13 b 8 0";
    for (size, variant, position, only, told) in [
        ("13", "boat", boat, "", None),
        (
            "7",
            "boat",
            "wwbbwbb/bbwbw1b/wwbbwww/wbw1bwb/w1bbwbb/bwwww1w/bwb1wwb b 6 7",
            "b3",
            Some(5),
        ),
        (
            "7",
            "poof",
            "bwbwwwb/bbbww1b/b1wbbbw/b1wwwbb/wbbw1bb/wbbwwwb/bbbwbwb b 7 6",
            "f6",
            Some(3),
        ),
        (
            "7",
            "poof",
            "2ww1wb/bbw3b/wbwww1b/wbbw1bb/ww2bww/wbbwwwb/bbbwbbb w 4 7",
            "d6",
            Some(-6),
        ),
        (
            "7",
            "o",
            "bwbwbbw/wwbwbwb/wbwbbbb/b1w1ww1/wwbbbb1/b1bwbwb/wwwwbwb w 13 6",
            "g3",
            Some(3),
        ),
    ] {
        let rules = [("size", size), ("tournament", "off"), ("variant", variant)];
        let mut engine = Engine::open("pente", &rules).expect("a game");
        engine.set_fen(position).expect("a position");
        let limits = Limits {
            depth: Some(6),
            searchmoves: only.split_whitespace().map(str::to_string).collect(),
            ..Limits::default()
        };
        let found = engine.search(&limits).expect("a search");
        let mate = match found.score() {
            Score::Mate(plies) if found.is_proven() => Some(plies),
            _ => None,
        };
        assert_eq!(mate, told, "{variant} {position}: {found:?}");
    }
}

#[test]
fn a_win_is_kept_where_stones_may_go_back() {
    let rules = [("size", "11"), ("back", "true")];
    let mut engine = Engine::open("dagennacht", &rules).expect("a game");
    engine.play("h1 j11 g8 f1 f7 e2 e8 a4").expect("legal");
    let search = |engine: &mut Engine| {
        let limits = Limits {
            movetime: Some(20_000),
            ..Limits::default()
        };
        let found = engine.search(&limits).expect("a search");
        let line = found.variations[0].clone();
        match line.score {
            Score::Mate(plies) if plies > 0 && line.proven => (found.best.expect("a move"), plies),
            _ => panic!("no win: {line:?}"),
        }
    };
    for reply in ["a2", "a8", "k2", "k4"] {
        engine.forget();
        let (best, told) = search(&mut engine);
        engine.play(&best).expect("legal");
        engine.play(reply).expect("legal");
        let (_, plies) = search(&mut engine);
        assert!(
            plies <= told - 2,
            "{told}, then {plies} after {best} {reply}"
        );
        engine.undo(2).expect("two moves to take back");
    }
}

#[test]
fn the_loser_is_told_of_the_win_where_stones_may_go_back() {
    let rules = [("size", "13"), ("back", "true")];
    let mut engine = Engine::open("dagennacht", &rules).expect("a game");
    let moves = "c12 b13 d11 b13-c13 d11-d10 d9 d11 d9-e9 b13 c10";
    engine.play(moves).expect("legal");
    let to_depth = |depth: u32| Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let score = |engine: &mut Engine, depth: u32| {
        let line = engine
            .search(&to_depth(depth))
            .expect("a search")
            .variations[0]
            .clone();
        (line.score, line.proven)
    };
    assert_eq!(score(&mut engine, 4), (Score::Mate(7), true));
    engine.play("d9").expect("legal");
    assert_eq!(score(&mut engine, 1), (Score::Mate(-6), true));
    // By another way to the same position it may not be lost.
    engine.undo(1).expect("a move to take back");
    engine
        .play("b13-a13 c10-b10 a13-b13 b10-c10 d9")
        .expect("legal");
    assert_ne!(score(&mut engine, 1), (Score::Mate(-6), true));
}

#[test]
fn a_proven_line_that_is_told_whole_ends_the_game() {
    for (rules, moves, lines) in [
        (
            [("size", "11"), ("restriction", "true"), ("back", "true")],
            "g10 d7 f9 e6 f7 d5 e8 d3 e4 c6 c4 c8 e8-d8 c10 d9",
            "4",
        ),
        (
            [("size", "13"), ("restriction", "true"), ("back", "false")],
            "f5 f13 e4 e12 e4-e5 g12 g4 h13",
            "3",
        ),
    ] {
        let mut proven = 0;
        for limit in (1_000..3_000).step_by(100) {
            let mut engine = Engine::open("dagennacht", &rules).expect("a game");
            engine.set_option("MultiPV", lines).expect("an option");
            engine.set_option("Hash", "4").expect("an option");
            engine.play(moves).expect("legal");
            let found = engine.search(&nodes(limit)).expect("a search");
            for line in &found.variations {
                let Score::Mate(plies) = line.score else {
                    continue;
                };
                if line.proven && line.moves.len() == plies.unsigned_abs() as usize {
                    let count = line.moves.len();
                    engine.play(&line.moves.join(" ")).expect("a legal line");
                    assert!(engine.outcome().is_some(), "{limit} nodes: {line:?}");
                    engine.undo(count as u32).expect("moves to take back");
                    proven += 1;
                }
            }
        }
        assert!(proven > 5, "{proven} lines");
    }
}

#[test]
fn a_drawn_line_of_teeko_ends_where_the_game_does() {
    let mut engine = Engine::open("teeko", &[]).expect("a game");
    let game = "a4 e3 a2 a3 c3 c2 d4 d2 a2-b2 a3-a2 a4-b3 d2-d3 b2-a1 a2-b2 c3-d2 b2-b1 d4-e4 \
                e3-d4 a1-b2 b1-c1 e4-d5 c1-b1";
    engine.play(game).expect("legal");
    let found = engine.search(&nodes(100_000)).expect("a search");
    let line = &found.variations[0];
    assert!(line.proven && line.moves.len() > 1, "{line:?}");
    engine.play(&line.moves.join(" ")).expect("a legal line");
}

#[test]
fn a_search_of_some_moves_is_as_deep_as_any() {
    for game in quintet::GAMES {
        let mut dice = Dice(3);
        let mut engine = after_random_moves(game, 8, &mut dice);
        let moves = engine.legal_moves();
        for _ in 0..5 {
            let m = &moves[dice.below(moves.len())];
            engine.forget();
            let only = Limits {
                depth: Some(5),
                movetime: Some(60_000),
                searchmoves: vec![m.clone()],
                ..Limits::default()
            };
            let found = engine.search(&only).expect("a search");
            assert_eq!(found.best.as_ref(), Some(m), "{game}");
            let line = &found.variations[0];
            assert!(line.depth >= 5 || line.proven, "{game} {m}: {line:?}");
        }
    }
}

#[test]
fn a_search_of_some_moves_does_not_mislead_the_next_one() {
    let mut engine = Engine::open("gomoku", &[]).expect("gomoku");
    // Black wins at once, but for the moves that are allowed.
    engine.play("h8 a1 h9 c1 h10 e1 h11 g1").expect("legal");
    let mut bad = nodes(20_000);
    bad.searchmoves = vec!["o15".to_string(), "a15".to_string()];
    let found = engine.search(&bad).expect("a search");
    assert!(bad.searchmoves.contains(&found.best.expect("a move")));
    engine.undo(1).expect("a move to take back");
    let mut last = nodes(20_000);
    last.searchmoves = vec!["g1".to_string()];
    let found = engine.search(&last).expect("a search");
    assert_eq!(found.variations[0].score, Score::Mate(-2), "{found:?}");
}

#[test]
fn what_another_evaluation_found_is_forgotten() {
    for (game, moves) in [
        ("gomoku", "h8 i9 j9 h10 i8"),
        ("pente", "k10 k12 k6 h14 m8"),
        ("dagennacht", "i8 h9 j7 k6 h7"),
    ] {
        let prefix = if game == "dagennacht" {
            "DagEnNacht"
        } else {
            game
        };
        let search = |engine: &mut Engine| {
            let found = engine.search(&nodes(5_000)).expect("a search");
            let line = found.variations[0].clone();
            (line.score, line.moves, line.nodes)
        };
        let mut changed = Engine::open(game, &[]).expect("a game");
        let mut fresh = Engine::open(game, &[]).expect("a game");
        for engine in [&mut changed, &mut fresh] {
            engine.play(moves).expect("legal");
        }
        let by_network = search(&mut changed);
        for engine in [&mut changed, &mut fresh] {
            let name = format!("{prefix}.Eval");
            engine.set_option(&name, "classical").expect("a value");
        }
        let expected = search(&mut fresh);
        assert_ne!(by_network, expected, "{game}");
        assert_eq!(search(&mut changed), expected, "{game}");
    }
}

/// Eighteen marbles: it takes the solver about a second.
fn long_to_solve() -> Engine {
    let mut engine = Engine::open("pentago", &[]).expect("a game");
    let moves = "14-ccw-bl 21-cw-tl 32-cw-tl 25-cw-tl 14-cw-tr 2-ccw-bl 34-ccw-br 8-cw-tr 4-cw-br \
                 28-ccw-br 24-cw-bl 20-cw-tr 3-ccw-tl 23-cw-br 23-cw-tr 27-cw-tl 31-cw-bl 13-cw-bl";
    engine.play(moves).expect("legal");
    engine
}

#[test]
fn a_long_solution_goes_on_beside_the_search() {
    // A search alone would not prove the values of five moves.
    for lines in [1, 5] {
        let mut engine = long_to_solve();
        let multi_pv = lines.to_string();
        engine.set_option("MultiPV", &multi_pv).expect("an option");
        let mut search = engine.start(&Limits::default()).expect("a search");
        let mut deepest = 0;
        for line in search.by_ref() {
            deepest = deepest.max(line.depth);
            if line.rank == lines && line.proven {
                break;
            }
        }
        assert!(deepest >= 2, "{lines}: {deepest}");
        search.stop();
        let found = search.finish().expect("an answer");
        assert_eq!(found.variations.len(), lines as usize, "{found:?}");
        assert!(found.variations.iter().all(|line| line.proven), "{found:?}");
    }
    // Given up, it delays neither the answer nor the next search.
    let mut engine = long_to_solve();
    for _ in 0..3 {
        let search = engine.start(&Limits::default()).expect("a search");
        search.stop();
        assert!(search.finish().expect("an answer").best.is_some());
    }
}

#[test]
fn a_long_solution_begins_with_a_short_search() {
    let mut engine = long_to_solve();
    let to_the_end = Limits {
        depth: Some(30),
        ..Limits::default()
    };
    let mut search = engine.start(&to_the_end).expect("a search");
    // The solver alone would tell one line, of depth 1.
    let early = search.by_ref().find(|line| line.depth >= 2);
    let found = search.finish().expect("an answer");
    assert!(early.is_some(), "{found:?}");
    assert!(found.variations[0].proven, "{found:?}");
}

/// Pentago's solver knows of long wins and losses only that they are there. What a search
/// has proven of their length before stays true.
#[test]
fn the_solver_unsays_no_shorter_win() {
    let mut engine = Engine::open("pentago", &[]).expect("a game");
    engine
        .set_fen("bb1r1b/1rb3/r3r1/bb2br/r1rr2/2r1bb r")
        .expect("a position");
    let told = |engine: &mut Engine, limits: &Limits| {
        let analysis = engine.search(limits).expect("a search");
        assert!(analysis.is_proven(), "{analysis:?}");
        (analysis.best.clone().expect("a move"), analysis.score())
    };
    let to_depth = |depth| Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    let timed = Limits {
        movetime: Some(60_000),
        ..Limits::default()
    };
    let (best, score) = told(&mut engine, &to_depth(7));
    assert_eq!(score, Score::Mate(7));
    engine.play(&best).expect("legal");
    // The loser, by the solver.
    let (_, score) = told(&mut engine, &to_depth(36));
    assert!(matches!(score, Score::Mate(-6..0)), "{score:?}");
    let reply = engine.legal_moves();
    let reply = reply.iter().find(|m| *m == "9-cw-tr");
    engine.play(reply.expect("a legal reply")).expect("legal");
    let (_, score) = told(&mut engine, &timed);
    assert!(matches!(score, Score::Mate(1..=5)), "{score:?}");
    // In one search, too, whoever comes first.
    for lines in ["1", "3"] {
        engine.set_option("MultiPV", lines).expect("an option");
        engine.forget();
        engine
            .set_fen("rb1bbr/2r3/rrbb2/2brr1/r2b2/b2rb1 r")
            .expect("a position");
        let mut search = engine.start(&timed).expect("a search");
        let mut shortest = None;
        for line in &mut search {
            if let (Score::Mate(plies @ 1..), true, 1) = (line.score, line.proven, line.rank) {
                assert!(
                    shortest.is_none_or(|most| plies <= most),
                    "{shortest:?}, then {line:?}"
                );
                shortest = Some(plies);
            }
        }
        search.finish().expect("a result");
        assert!(shortest.is_some());
    }
}

/// Pentago's solver is asked for chosen moves, too, where a move that is not among them wins
/// at once; and no end is told that is farther than the holes allow.
#[test]
fn chosen_moves_are_solved_beside_a_win_at_once() {
    let mut engine = Engine::open("pentago", &[]).expect("a game");
    for (fen, only, score) in [
        (
            "r3br/b2r2/1bbr2/r1b2b/b1rrbb/1rb2r b",
            "34-ccw-br",
            Score::Cp(0),
        ),
        (
            "bbbrbb/brbr1r/rbrrbb/brrbrb/1rrrbr/bbrrr1 r",
            "36-ccw-bl",
            Score::Mate(3),
        ),
        (
            "rrbrrr/b1bb1b/1brbbr/brrbr1/rrrrbb/brbbbr r",
            "11-cw-tl",
            Score::Mate(-4),
        ),
    ] {
        engine.set_fen(fen).expect("a position");
        let limits = Limits {
            depth: Some(36),
            searchmoves: vec![only.to_string()],
            ..Limits::default()
        };
        let analysis = engine.search(&limits).expect("a search");
        assert_eq!((analysis.score(), analysis.is_proven()), (score, true));
    }
}

/// A win that the rules show is told for one where the limits leave no search, and it
/// is the one that a search plays, though another move may lead to the same position.
#[test]
fn a_win_at_once_is_told_without_a_node() {
    for (game, fen) in [
        ("pentago", "rbrbrb/brb1b1/rbbbrb/rrrrbb/brrrbr/brbrrb b"),
        (
            "gomoku",
            "15/15/15/15/15/15/15/15/15/15/15/15/15/15/bbbb5wwww2 b",
        ),
        (
            "pente",
            "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/wwww5bbbb6 w 0 0",
        ),
        ("teeko", "rrr2/5/5/5/bbb2 b"),
    ] {
        let mut engine = Engine::open(game, &[]).expect("a game");
        engine.set_fen(fen).expect("a position");
        let best = [0, 1, 100].map(|most| {
            let analysis = engine.search(&nodes(most)).expect("a search");
            let told = (analysis.score(), analysis.is_proven());
            assert_eq!(told, (Score::Mate(1), true), "{game} {most}");
            analysis.best.expect("a move")
        });
        assert!(best.iter().all(|m| *m == best[0]), "{game} {best:?}");
    }
}
