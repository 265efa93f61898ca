//! The command line in the language of the reader: help, completions, and what is said when it was not understood. The words stand in
//! `locale/*/program-help.toml`; clap lays them out.

use crate::cli::{Cli, Lang};
use crate::words::Words;
use clap::builder::{StyledStr, Styles};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, CommandFactory as _, ValueEnum as _};
use std::collections::BTreeMap;
use std::error::Error as _;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::ParseIntError;

/// The option that chooses the language, and what of the environment does.
const LANG: (&str, &str) = ("--lang", "BRIEFWELT_LANG");

/// The language of a command line that nobody has understood yet: what `--lang` says, else the environment, else German.
pub fn language(words: &[OsString]) -> Lang {
    let mut said = std::env::var(LANG.1).ok();
    let mut words = words.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        match word.strip_prefix(LANG.0) {
            Some("") => said = words.next().map(|value| value.into_owned()),
            Some(value) => said = value.strip_prefix('=').map(str::to_owned).or(said),
            None if word == "--" => break,
            None => {}
        }
    }
    let said = said.unwrap_or_default();
    Lang::from_str(&said, true).unwrap_or(Lang::De)
}

/// The command line with its words, for completions.
pub fn command(words: Words) -> Command {
    let option = |name: &'static str, action| Arg::new(name).long(name).action(action).global(true);
    let command = Cli::command()
        .disable_help_flag(true)
        .disable_version_flag(true)
        .arg(option("help", ArgAction::Help).short('h'))
        .arg(option("version", ArgAction::Version).short('V'));
    worded(command, "help", words)
}

/// The command line as it is read and as it tells of itself.
pub fn command_line(words: Words) -> Command {
    let mut command = annotated(command(words), words);
    command.build();
    with_usage(command, words)
}

/// Gives a command and all below it the words under a key.
fn worded(command: Command, key: &str, words: Words) -> Command {
    let command = command
        .about(words.help(&format!("{key}.about")))
        .subcommand_help_heading(words.help("clap.commands"))
        .subcommand_value_name(words.help("placeholder.command"))
        .help_template(template(words))
        .mut_args(|arg| worded_arg(arg, key, words))
        .mut_subcommands(|command| {
            let key = format!("{key}.{}", command.get_name());
            worded(command, &key, words)
        });
    match words.find(&format!("{key}.more")) {
        Some(more) => command.after_help(more),
        None if command.get_name() == "exit-codes" => command.after_help(exit_codes(words)),
        None => command,
    }
}

/// The table of exit codes.
pub fn exit_codes(words: Words) -> String {
    let mut text = words.help("exit.title");
    for (code, meaning) in meanings(words) {
        text.push_str(&format!("\n  {code:>2}  {meaning}"));
    }
    text
}

/// What every exit code means.
pub fn meanings(words: Words) -> BTreeMap<u8, String> {
    host::error::EXIT_CODES
        .map(|code| (code, words.help(&format!("exit.{code}"))))
        .collect()
}

/// The layout of a page of help.
fn template(words: Words) -> StyledStr {
    let style = Styles::default();
    let style = style.get_usage();
    let usage = words.help("clap.usage");
    StyledStr::from(format!(
        "{{about-with-newline}}\n{style}{usage}:{style:#} {{usage}}\n\n{{all-args}}{{after-help}}"
    ))
}

/// Under which name the words of an option stand.
fn name_of(arg: &Arg) -> String {
    arg.get_long().unwrap_or(arg.get_id().as_str()).replace('_', "-")
}

fn worded_arg(arg: Arg, key: &str, words: Words) -> Arg {
    let name = name_of(&arg);
    let help = words
        .find(&format!("{key}.options.{name}"))
        .unwrap_or_else(|| words.help(&format!("option.{name}")));
    let heading = match (arg.is_global_set(), arg.is_positional()) {
        (true, _) => "clap.everywhere",
        (_, true) => "clap.arguments",
        _ => "clap.options",
    };
    let placeholder = placeholder_of(&arg);
    // A number below zero is a bad value, no unknown option.
    let takes_values = arg.get_action().takes_values();
    let arg = arg.allow_negative_numbers(takes_values);
    let arg = arg.help(help).help_heading(words.help(heading));
    match placeholder {
        Some(placeholder) => arg.value_name(words.help(&format!("placeholder.{placeholder}"))),
        None => arg,
    }
}

/// What stands for the value of an option, as a key.
fn placeholder_of(arg: &Arg) -> Option<String> {
    if !arg.get_action().takes_values() {
        return None;
    }
    let given = arg.get_value_names().and_then(|names| names.first());
    Some(given.map_or_else(|| name_of(arg), |name| name.to_lowercase()))
}

/// Says behind every option what holds without it, which values it has and what of the environment gives it, in the reader's words
/// instead of clap's.
fn annotated(command: Command, words: Words) -> Command {
    command
        .mut_args(|arg| annotated_arg(arg, words))
        .mut_subcommands(|command| annotated(command, words))
}

fn annotated_arg(arg: Arg, words: Words) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values: Vec<String> = match arg.get_action().takes_values() {
        true => arg
            .get_possible_values()
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect(),
        false => Vec::new(),
    };
    let mut notes = Vec::new();
    let defaults: Vec<_> = arg
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy())
        .collect();
    if defaults.iter().any(|value| !value.is_empty()) && arg.get_action().takes_values() {
        notes.push(words.help_with("clap.default", &[("value", &defaults.join(" "))]));
    }
    if let Some(name) = arg.get_env() {
        notes.push(words.help_with("clap.env", &[("name", &name.to_string_lossy())]));
    }
    let mut long = Vec::new();
    let mut short = vec![help.clone()];
    for value in &values {
        if let Some(meaning) = words.find(&format!("value.{}.{value}", name_of(&arg))) {
            long.push(format!("  {value}: {meaning}"));
        }
    }
    if !values.is_empty() {
        short.push(words.help_with("clap.values", &[("values", &values.join(", "))]));
    }
    let arg = arg.hide_env(true);
    let arg = match arg.get_action().takes_values() {
        true => arg.hide_default_value(true).hide_possible_values(true),
        false => arg,
    };
    let whole = match long.is_empty() {
        true => [short.as_slice(), &notes].concat().join(" "),
        false => format!("{}\n{}", [&[help][..], &notes].concat().join(" "), long.join("\n")),
    };
    short.extend(notes);
    arg.help(short.join(" ")).long_help(whole)
}

/// Has the line of usage in the reader's words too; after clap has built the command, which knows its whole name only then.
fn with_usage(command: Command, words: Words) -> Command {
    let usage = command.clone().render_usage().to_string();
    let options = format!("[{}]", words.help("placeholder.options"));
    let usage = without_title(&usage).replace("[OPTIONS]", &options);
    let command = command.mut_subcommands(|command| match command.get_name() {
        "help" => command.about(words.help("clap.help-command")),
        _ => with_usage(command, words),
    });
    command.override_usage(usage)
}

/// A line of usage without clap's word before it.
fn without_title(usage: &str) -> &str {
    usage.split_once(": ").map_or(usage, |(_, usage)| usage).trim()
}

/// Whether the error is no error but what was asked for: help, the version.
pub fn is_help(error: &clap::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
            | ErrorKind::Io
            | ErrorKind::Format
    )
}

/// Why a command line was not understood: what is wrong, what may have been meant, how it should look.
pub fn complaint(error: &clap::Error, words: Words) -> String {
    let mut text = what_is_wrong(error, words);
    for tip in tips(error, words) {
        text.push_str(&format!("\n  {}: {tip}", words.help("clap.tip")));
    }
    if let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) {
        let usage = usage.to_string();
        let usage = without_title(&usage);
        let named = usage
            .split_whitespace()
            .take_while(|word| !word.starts_with(['[', '<', '-']));
        let command = format!("{} --help", named.collect::<Vec<_>>().join(" "));
        text.push_str(&format!(
            "\n\n{}: {usage}\n\n{}",
            words.help("clap.usage"),
            words.help_with("clap.try-help", &[("command", &command)])
        ));
    }
    text
}

/// What an error says of something, one value below the other if there are several.
fn context(error: &clap::Error, kind: ContextKind) -> Option<Vec<String>> {
    match error.get(kind)? {
        ContextValue::String(value) => Some(vec![value.clone()]),
        ContextValue::Strings(values) => Some(values.clone()),
        ContextValue::StyledStr(value) => Some(vec![value.to_string()]),
        ContextValue::StyledStrs(values) => Some(values.iter().map(ToString::to_string).collect()),
        ContextValue::Number(value) => Some(vec![value.to_string()]),
        _ => None,
    }
}

fn what_is_wrong(error: &clap::Error, words: Words) -> String {
    let all = |kind| context(error, kind).unwrap_or_default();
    let one = |kind| all(kind).join(", ");
    let (option, value) = (one(ContextKind::InvalidArg), one(ContextKind::InvalidValue));
    let list = |values: Vec<String>| values.iter().map(|value| format!("\n  {value}")).collect::<String>();
    match error.kind() {
        ErrorKind::UnknownArgument => words.help_with("clap.unknown-option", &[("given", &option)]),
        ErrorKind::InvalidSubcommand => words.help_with(
            "clap.unknown-command",
            &[("given", &one(ContextKind::InvalidSubcommand))],
        ),
        ErrorKind::InvalidValue if value.is_empty() => words.help_with("clap.no-value", &[("option", &option)]),
        ErrorKind::InvalidValue => {
            let text = words.help_with("clap.bad-value", &[("given", &value), ("option", &option)]);
            let known = one(ContextKind::ValidValue);
            match known.is_empty() {
                true => text,
                false => format!(
                    "{text}\n  {}",
                    words.help_with("clap.known-values", &[("known", &known)])
                ),
            }
        }
        ErrorKind::ValueValidation => unfit(error, words, &value, &option),
        ErrorKind::ArgumentConflict => match all(ContextKind::PriorArg).as_slice() {
            [other] if *other == option => words.help_with("clap.twice", &[("option", &option)]),
            others => words.help_with("clap.conflict", &[("option", &option), ("other", &others.join("`, `"))]),
        },
        ErrorKind::MissingRequiredArgument => {
            format!("{}{}", words.help("clap.missing"), list(all(ContextKind::InvalidArg)))
        }
        ErrorKind::MissingSubcommand => {
            let command = one(ContextKind::InvalidSubcommand);
            let text = words.help_with("clap.missing-command", &[("command", &command)]);
            format!("{text}{}", list(all(ContextKind::ValidSubcommand)))
        }
        ErrorKind::NoEquals => words.help_with("clap.no-equals", &[("option", &option)]),
        ErrorKind::TooManyValues => words.help_with("clap.too-many-values", &[("given", &value), ("option", &option)]),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => {
            words.help_with("clap.too-few-values", &[("option", &option)])
        }
        ErrorKind::InvalidUtf8 => words.help("clap.no-utf8"),
        _ => words.help("clap.not-understood"),
    }
}

/// Why a value is none of its kind: a number, an address.
fn unfit(error: &clap::Error, words: Words, given: &str, option: &str) -> String {
    let source = error.source();
    let why = source.map(ToString::to_string).unwrap_or_default();
    let values: [(&str, &dyn std::fmt::Display); 2] = [("given", &given), ("option", &option)];
    if source.is_some_and(|source| source.is::<ParseIntError>()) {
        return words.help_with("clap.no-number", &values);
    }
    if source.is_some_and(|source| source.is::<AddrParseError>()) {
        return words.help_with("clap.no-address", &values);
    }
    let [given, option] = values;
    // How clap says that a number is too small or too large; other words of its own are said as they are.
    match why.split_once(" is not in ") {
        Some((_, range)) => {
            let range = range.replace("..=", " … ").replace("..", " … ");
            words.help_with("clap.out-of-range", &[given, ("range", &range), option])
        }
        None => words.help_with("clap.unfit-value", &[given, option, ("why", &why)]),
    }
}

/// What may have been meant.
fn tips(error: &clap::Error, words: Words) -> Vec<String> {
    let suggested = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let mut tips: Vec<String> = suggested
        .into_iter()
        .filter_map(|kind| context(error, kind))
        // What is most alike comes last from clap and first to the reader.
        .map(|known| known.into_iter().rev().collect::<Vec<_>>())
        .map(|known| words.help_with("clap.similar", &[("known", &known.join("`, `"))]))
        .collect();
    if error.get(ContextKind::Suggested).is_some()
        && let Some(given) = context(error, ContextKind::InvalidArg)
    {
        tips.push(words.help_with("clap.after-dashes", &[("given", &given.join(" "))]));
    }
    tips
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const LANGUAGES: [Lang; 2] = [Lang::De, Lang::En];

    /// A command and all below it, with its key.
    fn each(command: &Command, key: &str, look: &mut dyn FnMut(&Command, &str)) {
        look(command, key);
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            each(inner, &format!("{key}.{}", inner.get_name()), look);
        }
    }

    /// The keys of the words that clap needs, of commands and options as they stand in `cli.rs`.
    fn needed(words: Words) -> BTreeSet<String> {
        let mut keys = BTreeSet::new();
        each(&command(words), "help", &mut |command, key| {
            keys.insert(format!("{key}.about"));
            if !command.has_subcommands() && command.get_name() != "exit-codes" {
                keys.insert(format!("{key}.more"));
            }
            for arg in command.get_arguments() {
                let name = name_of(arg);
                let own = format!("{key}.options.{name}");
                keys.insert(match words.find(&own) {
                    Some(_) => own,
                    None => format!("option.{name}"),
                });
                for value in arg.get_possible_values() {
                    if arg.get_action().takes_values() && name != "shell" {
                        keys.insert(format!("value.{name}.{}", value.get_name()));
                    }
                }
            }
        });
        // What stands for a value is named in `cli.rs` as it reads in English.
        each(&Cli::command(), "help", &mut |command, _| {
            let names = command.get_arguments().filter_map(placeholder_of);
            keys.extend(names.map(|name| format!("placeholder.{name}")));
        });
        keys.extend(["command", "options"].map(|name| format!("placeholder.{name}")));
        keys.extend(["help.more", "exit.title"].map(str::to_owned));
        keys.extend(host::error::EXIT_CODES.map(|code| format!("exit.{code}")));
        keys
    }

    #[test]
    fn every_command_option_value_and_placeholder_has_its_words_in_both_languages_and_no_other_has() {
        for (lang, code) in LANGUAGES.into_iter().zip(["de", "en"]) {
            let words = Words::in_language(lang);
            let needed = needed(words);
            for key in &needed {
                assert!(words.find(key).is_some(), "{code}: {key} has no words");
            }
            let file = format!("{}/../../locale/{code}/program-help.toml", env!("CARGO_MANIFEST_DIR"));
            let written = render::locale::flatten(&std::fs::read_to_string(file).unwrap()).unwrap();
            for key in written.keys().filter(|key| !key.starts_with("clap.")) {
                assert!(needed.contains(key), "{code}: nothing says {key}");
            }
        }
    }

    #[test]
    fn no_page_of_help_has_words_of_clap() {
        let foreign = [
            "Usage:",
            "Options:",
            "Commands:",
            "Arguments:",
            "[default:",
            "[env:",
            "[possible values",
            "Print help",
            "Print version",
            "Print this",
            "[OPTIONS]",
            "<COMMAND>",
            "<FILE>",
        ];
        each(&command_line(Words::in_language(Lang::De)), "", &mut |command, key| {
            for page in [command.clone().render_help(), command.clone().render_long_help()] {
                let page = page.to_string();
                for word in foreign {
                    assert!(!page.contains(word), "{key}: {word} in\n{page}");
                }
                assert!(page.contains("Aufruf: briefwelt"), "{key}: {page}");
            }
        });
    }

    #[test]
    fn the_command_line_is_sound_in_both_languages() {
        for lang in LANGUAGES {
            command_line(Words::in_language(lang)).debug_assert();
        }
    }

    /// What is said about a command line that is wrong.
    fn said(line: &str, lang: Lang) -> String {
        let line = std::iter::once("briefwelt").chain(line.split(' '));
        let error = command_line(Words::in_language(lang)).try_get_matches_from(line);
        complaint(&error.expect_err("a mistake"), Words::in_language(lang))
    }

    #[test]
    fn a_mistake_is_told_in_the_language_of_the_reader_with_what_was_meant() {
        for (line, german, english) in [
            (
                "demoo",
                "einen Befehl „demoo“ gibt es nicht\n  Rat: es gibt `demo`",
                "there is no command “demoo”\n  tip: there is `demo`",
            ),
            (
                "turn status --wrold x",
                "eine Option „--wrold“ gibt es hier nicht\n  Rat: es gibt `--world`",
                "there is no option “--wrold” here\n  tip: there is `--world`",
            ),
            (
                "turn check",
                "es fehlt etwas:\n  <DATEI>",
                "something is missing:\n  <FILE>",
            ),
            (
                "turn run --turn drei",
                "„drei“ ist keine ganze Zahl, wie `--turn <ZUG>` sie braucht",
                "“drei” is no whole number, as `--turn <TURN>` needs it",
            ),
            (
                "battle siege --runs 0",
                "„0“ liegt außerhalb von 1 … 10000000, den Grenzen von `--runs <N>`",
                "“0” lies outside 1 … 10000000, the bounds of `--runs <N>`",
            ),
            (
                "serve --listen nirgends",
                "„nirgends“ ist keine Adresse mit Port",
                "“nirgends” is no address with a port",
            ),
            (
                "report --gm --all",
                "`--gm` verträgt sich nicht mit `--all`",
                "`--gm` does not go together with `--all`",
            ),
            (
                "report --gm --format pdf",
                "„pdf“ ist keiner der Werte von `--format <WERT>`\n  Werte: text, html, json",
                "“pdf” is none of the values of `--format <VALUE>`\n  values: text, html, json",
            ),
            (
                "report --realm",
                "zu `--realm <REICH>` gehört ein Wert",
                "`--realm <REALM>` needs a value",
            ),
            (
                "report --gm --gm",
                "`--gm` läßt sich nur einmal angeben",
                "`--gm` can be given only once",
            ),
        ] {
            let told = [said(line, Lang::De), said(line, Lang::En)];
            assert!(told[0].contains(german), "{line}: {}", told[0]);
            assert!(told[1].contains(english), "{line}: {}", told[1]);
        }
        let told = said("turn orders", Lang::De);
        assert!(
            told.ends_with("Aufruf: briefwelt turn orders [OPTIONEN] --realm <REICH>\n\nMehr dazu sagt `briefwelt turn orders --help`."),
            "{told}"
        );
    }

    #[test]
    fn the_language_is_found_before_the_line_is_understood() {
        let language = |line: &str| {
            let line: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            super::language(&line)
        };
        assert_eq!(language("briefwelt --lang en turn"), Lang::En);
        assert_eq!(language("briefwelt turn --lang=en"), Lang::En);
        assert_eq!(language("briefwelt turn --lang=xx"), Lang::De);
        assert_eq!(language("briefwelt --lang"), Lang::De);
        assert_eq!(language("briefwelt gm message -- --lang en"), Lang::De);
    }
}
