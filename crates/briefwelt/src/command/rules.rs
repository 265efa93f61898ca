//! `briefwelt rules`

use crate::cli::{self, Cli, Lang};
use crate::complaint::Complaint;
use crate::output::{FoundWrong, bar, quietly, say, table, tell};
use crate::press::language;
use crate::words::Words;
use games::{game_stages, games, stages};
use host::HostError;
use kernel::game::OrderForm;
use kernel::guide::HouseRule;
use kernel::report::Arg;
use kernel::rule::Rule;
use render::locale::Wording;
use std::collections::BTreeMap;
use std::path::Path;
use testkit::shown::Telling;
use testkit::stages::{find, judge_files, summary};

/// Carries out `briefwelt rules`.
pub fn run(cli: &Cli, command: &cli::Rules) -> anyhow::Result<()> {
    match command {
        cli::Rules::Search { words, game } => search(cli, words, game.as_deref()),
        cli::Rules::Show { id } => show(cli, id),
        cli::Rules::Orders { game } => orders(cli, game.as_deref()),
        cli::Rules::House { game, words } => house(cli, game, words),
        cli::Rules::Coverage { game, scenarios } => coverage(cli, game.as_deref(), scenarios),
    }
}

fn gist(cli: &Cli, rule: &Rule) -> &'static str {
    match cli.lang {
        Lang::De => rule.de,
        Lang::En => rule.en,
    }
}

fn kind(rule: &Rule) -> String {
    format!("{:?}", rule.kind).to_lowercase()
}

/// The rules of one game, or of all.
fn all_rules(game: Option<&str>) -> Result<Vec<&'static Rule>, HostError> {
    let games = games();
    let wanted = |name: &str| game.is_none_or(|game| game.eq_ignore_ascii_case(name));
    let rules: Vec<&Rule> = games
        .iter()
        .filter(|game| wanted(game.name()))
        .flat_map(|game| game.rules())
        .collect();
    match game {
        Some(name) if !games.iter().any(|game| wanted(game.name())) => Err(super::unknown_game(name)),
        _ => Ok(rules),
    }
}

/// Small letters without umlauts, so that `Fluss`, `Fluß` and `FLUSS` are one word.
fn folded(text: &str) -> String {
    let small = text.to_lowercase();
    small
        .replace('ß', "ss")
        .replace('ä', "ae")
        .replace('ö', "oe")
        .replace('ü', "ue")
}

fn search(cli: &Cli, words: &[String], game: Option<&str>) -> anyhow::Result<()> {
    let words: Vec<String> = words.iter().map(|word| folded(word)).collect();
    let matches = |rule: &&&Rule| {
        let text = folded(&format!("{} {} {} {}", rule.id, rule.chapter, rule.de, rule.en));
        words.iter().all(|word| text.contains(word))
    };
    let all = all_rules(game)?;
    let found: Vec<&Rule> = all.iter().filter(matches).copied().collect();
    if found.is_empty() {
        return Err(none_with(&words).into());
    }
    tell(cli, &found, || {
        let row = |rule: &&Rule| vec![rule.id.to_string(), kind(rule), gist(cli, rule).to_owned()];
        table(&found.iter().map(row).collect::<Vec<_>>())
    })
}

fn show(cli: &Cli, id: &str) -> anyhow::Result<()> {
    let all = all_rules(None)?;
    let find = |id: &str| {
        all.iter()
            .find(|rule| rule.id.as_str().eq_ignore_ascii_case(id))
            .copied()
    };
    let rule = find(id).ok_or_else(|| HostError::UnknownRule(id.to_owned()))?;
    tell(cli, rule, || {
        let mut text = format!("{}  [{}]  {}\n{}\n", rule.id, kind(rule), rule.chapter, gist(cli, rule));
        let also: Vec<Vec<String>> = rule
            .see
            .iter()
            .filter_map(|id| find(id.as_str()))
            .map(|rule| vec![format!("  {}", rule.id), gist(cli, rule).to_owned()])
            .collect();
        text.push_str(&table(&also));
        text
    })
}

/// The order reference: one paragraph per form, below the heading of its section.
fn orders(cli: &Cli, game: Option<&str>) -> anyhow::Result<()> {
    all_rules(game)?;
    let wanted = |name: &str| game.is_none_or(|game| game.eq_ignore_ascii_case(name));
    let all = games();
    let asked: Vec<_> = all.iter().filter(|known| wanted(known.name())).collect();
    if cli.json {
        let forms = asked.iter().map(|game| (game.name(), game.order_forms()));
        return say(serde_json::to_string_pretty(&forms.collect::<BTreeMap<_, _>>())?);
    }
    for game in asked {
        say(reference(
            &game.order_forms(),
            Wording::of(game.name(), language(cli.lang)),
        ))?;
    }
    Ok(())
}

/// All forms of one game, one below the other.
fn reference(forms: &[OrderForm], wording: &Wording) -> String {
    let mut text = String::new();
    let mut opening = "";
    for form in forms {
        if form.opening != opening {
            opening = &form.opening;
            text.push_str(&format!("{opening}  {}\n", wording.words_of(form.section)));
        }
        let rules: Vec<&str> = form.rules.iter().map(|rule| rule.as_str()).collect();
        text.push_str(&format!("    {}\n", wording.words_of(form.pattern)));
        text.push_str(&format!(
            "        {} [{}]\n",
            wording.words_of(form.help),
            rules.join(", ")
        ));
        for example in &form.examples {
            text.push_str(&format!("        > {example}\n"));
        }
    }
    text.trim_end().to_owned()
}

/// Whether this game was asked for by name.
fn is_named(game: Option<&str>, name: &str) -> bool {
    game.is_some_and(|game| game.eq_ignore_ascii_case(name))
}

/// Everything that a world may change.
fn house(cli: &Cli, name: &str, words: &[String]) -> anyhow::Result<()> {
    all_rules(Some(name))?;
    let words: Vec<String> = words.iter().map(|word| folded(word)).collect();
    for game in games().iter().filter(|game| game.name().eq_ignore_ascii_case(name)) {
        let wording = Wording::of(game.name(), language(cli.lang));
        let label = |rule: &HouseRule| wording.text::<(&str, Arg<'_>)>(&rule.label, &[]);
        let mut list = game.house_rules();
        list.retain(|rule| {
            let text = folded(&format!("{} {} {}", rule.key, label(rule), rule.rules.join(" ")));
            words.iter().all(|word| text.contains(word))
        });
        if list.is_empty() {
            return Err(none_with(&words).into());
        }
        tell(cli, &list, || {
            let row = |rule: &HouseRule| {
                vec![
                    rule.key.clone(),
                    rule.default.clone(),
                    label(rule),
                    rule.rules.join(", "),
                ]
            };
            table(&list.iter().map(row).collect::<Vec<_>>())
        })?;
    }
    Ok(())
}

/// Nothing holds all these words.
fn none_with(words: &[String]) -> Complaint {
    Complaint::new("none-with-words").with("words", words.join(" ")).code(3)
}

fn coverage(cli: &Cli, game: Option<&str>, scenarios: &Path) -> anyhow::Result<()> {
    let stages = game_stages();
    if !stages.iter().any(|stage| is_named(game, stage.name())) {
        all_rules(game)?;
    }
    if !scenarios.exists() {
        let complaint = Complaint::new("no-scenario-folder").with("folder", scenarios.display());
        return Err(complaint.code(6).into());
    }
    let files = find(&[scenarios.to_owned()]).map_err(|error| HostError::file(scenarios, error))?;
    let progress = bar(files.len() as u64, &Words::of(cli).t("doing-scenarios"));
    let verdicts = quietly(|| judge_files(&self::stages(), &files, Telling::Verdict, &mut |_| progress.inc(1)));
    progress.finish_and_clear();
    if !cli.json {
        for verdict in verdicts.iter().filter(|verdict| !verdict.passed()) {
            say(verdict.text().trim_end())?;
        }
        say(summary(&verdicts))?;
    }
    let mut complete = true;
    let mut counted = Vec::new();
    for stage in stages
        .iter()
        .filter(|stage| game.is_none() || is_named(game, stage.name()))
    {
        let coverage = testkit::coverage::coverage(stage.name(), stage.rules(), &verdicts);
        complete &= coverage.complete();
        if cli.json {
            let total = coverage.total();
            let open: Vec<&str> = coverage.open.iter().map(|rule| rule.id.as_str()).collect();
            counted.push(serde_json::json!({
                "game": coverage.game, "covered": total.covered, "rules": total.all, "open": open, "failed": coverage.failed,
            }));
        } else {
            say(coverage.text().trim_end())?;
        }
    }
    if cli.json {
        say(serde_json::to_string_pretty(&counted)?)?;
    }
    if complete { Ok(()) } else { Err(FoundWrong.into()) }
}
