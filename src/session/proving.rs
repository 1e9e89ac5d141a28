//! `prove` as a job.

use super::job::{Job, Work};
use super::record::Record;
use super::words::{self, error, per_second};
use crate::control::Control;
use crate::fault;
use crate::files;
use crate::game::Game;
use crate::options::OptionValues;
use crate::prover::{self, Answer, Books, Claim, Heading, Left, Progress, Question, Verdict, Wins};
use quintet_protocol::{ErrorCode, Info, ProtocolError, Prove, Reply};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The proof that the command asks for, with so many MiB for its table, and
/// threads.
///
/// # Errors
/// There is no such player, a file cannot be written, or the guide is none.
pub(super) fn job<G: Game>(
    record: &Record<G>,
    options: &OptionValues,
    books: &Books,
    memory: usize,
    threads: usize,
    prove: &Prove,
) -> Result<Job, ProtocolError> {
    let player = match &prove.player {
        None => record.turn(),
        Some(text) => words::side_of::<G>(text)?,
    };
    let file = |text: &Option<String>| -> Result<Option<PathBuf>, ProtocolError> {
        let Some(text) = text else { return Ok(None) };
        let path = PathBuf::from(text);
        let refuse = |why| error(ErrorCode::State, format!("{text}: {why}"));
        files::check_writable(&path).map_err(refuse)?;
        Ok(Some(path))
    };
    let (certificate, resume) = (file(&prove.certificate)?, file(&prove.resume)?);
    if let (Some(certificate), Some(resume)) = (&certificate, &resume)
        && files::same_place(certificate, resume)
    {
        let why = "the certificate and the saved search need a file each".to_string();
        return Err(error(ErrorCode::State, why));
    }
    let guide = prove.guide.as_ref().map(|text| {
        let refuse = |why| error(ErrorCode::State, format!("{text}: {why}"));
        Wins::read::<G>(Path::new(text), options).map_err(refuse)
    });
    let question = Question::<G> {
        position: record.position().clone(),
        rules: options.clone(),
        player,
        claim: prove.claim.map(|claim| match claim {
            quintet_protocol::Claim::Win => Claim::Win,
            quintet_protocol::Claim::Draw => Claim::Draw,
        }),
        nodes: prove.nodes,
        time: (prove.movetime).map(|ms| Duration::from_millis(ms.max(0) as u64)),
        memory,
        threads,
        head_start: prover::HEAD_START,
        zones: false,
        certificate,
        resume,
        guide: guide.transpose()?,
        books: books.clone(),
        heading: Heading {
            rules: words::rules::<G>(options),
            position: record.setup().write_fen(&G::SIDES, G::EXTRA),
        },
    };
    Ok(Job {
        work: Work::Search,
        run: Box::new(move |control, say| {
            fault::point("prove");
            let mut report = |progress| tell::<G>(progress, control, say);
            match prover::prove(&question, control, &mut report) {
                Ok(answer) => match (proof(&answer, control), answer.unwritten) {
                    (proof, None) => proof,
                    // Whoever asks for a file has not got what he asked for.
                    (proof, Some(why)) => {
                        let text = format!("{why}; the answer is: {proof}");
                        Reply::Error(error(ErrorCode::State, text))
                    }
                },
                Err(why) => Reply::Error(error(ErrorCode::State, why)),
            }
        }),
        progress: None,
        fallback: None,
        control: Arc::new(Control::default()),
    })
}

fn tell<G: Game>(progress: Progress, control: &Control, say: &mut dyn FnMut(Reply)) {
    let (attacker, left, nodes, full) = match progress {
        Progress::Note(text) => return say(Reply::InfoString(text)),
        Progress::Searching {
            attacker,
            left,
            nodes,
            full,
        } => (attacker, left, nodes, full),
    };
    let time = control.elapsed();
    say(Reply::Info(Info {
        nodes: Some(nodes),
        nps: Some(per_second(nodes, time)),
        hashfull: Some(full),
        time: Some(time.as_millis() as u64),
        ..Info::default()
    }));
    let left = match left {
        Left::Numbers { proof, disproof } => format!(": proof {proof} disproof {disproof}"),
        Left::Writing { wins, positions } => {
            let settled = if wins { "proven" } else { "disproven" };
            format!(" is {settled}: {positions} positions of the strategy are written")
        }
    };
    let name = G::SIDES[attacker.index()].name;
    say(Reply::InfoString(format!("a win of {name}{left}")));
}

fn proof(answer: &Answer, control: &Control) -> Reply {
    Reply::Proof {
        verdict: match answer.verdict {
            Verdict::Win => quintet_protocol::Verdict::Win,
            Verdict::NoWin => quintet_protocol::Verdict::NoWin,
            Verdict::Draw => quintet_protocol::Verdict::Draw,
            Verdict::Loss => quintet_protocol::Verdict::Loss,
            Verdict::Unknown => quintet_protocol::Verdict::Unknown,
        },
        nodes: answer.nodes,
        positions: answer.positions,
        time: control.elapsed().as_millis() as u64,
    }
}
