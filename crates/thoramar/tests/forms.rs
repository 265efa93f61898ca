//! Forms write orders that read back as exactly one order of their kind; completion proposes what the reader understands.

mod support;

use kernel::diagnostic::Severity;
use kernel::form::{Input, Values};
use kernel::guide::AnyGuide;
use proptest::prelude::*;
use support::{GAME, adler};
use thoramar::parse::{Seat, parse};
use thoramar::tables::Tables;

const WORLD: &str = "map 0/0 tla Adler HST  1/0 twa Adler  -1/0 was  2/0 tla Bär  river 0/0-1/1
army Adler K.M 1 2000 at 0/0
army Adler K.M 2 2000 at 1/0
army Adler F.L 1 20 at 0/0
army Adler P.H 1 500 at 0/0
army Adler Z.B 1 500 at 0/0
army Bär R.L 1 300 at 2/0";

fn seat() -> Seat {
    let (_, view) = kernel::any::open_view::<thoramar::Thoramar>(&adler(WORLD)).expect("a stored view");
    Seat::of_view(&view).expect("a player")
}

fn values(list: &[(&str, &str)]) -> Values {
    list.iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn written(form: &str, list: &[(&str, &str)]) -> Result<String, Vec<String>> {
    let result = GAME
        .write_order(&adler(WORLD), form, &values(list))
        .expect("a readable view");
    result
        .map(|order| format!("{}|{}", order.opening, order.text))
        .map_err(|faults| {
            faults
                .iter()
                .map(|fault| format!("{} {}", fault.field, fault.finding.code))
                .collect()
        })
}

/// Form, values, and the line they make.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

#[test]
fn forms_write_the_lines_of_the_book() {
    let cases: &[Case] = &[
        (
            "build",
            &[("building", "STD"), ("place", "4/5"), ("name", "Die Goldene")],
            "$B|STD 4 5 Die_Goldene",
        ),
        ("build", &[("building", "STD"), ("place", "0/0")], "$B|STD 0 0"),
        (
            "lay",
            &[("network", "S"), ("place", "0/0"), ("sides", "1116")],
            "$B|S 0 0 1116",
        ),
        (
            "arm",
            &[("fit", "true"), ("army", "K.M 1"), ("count", "2500"), ("place", "0/0")],
            "$R|+ K.M 1 2500 0 0",
        ),
        (
            "arm",
            &[("army", "S.L 1"), ("count", "20"), ("place", "0/0"), ("direction", "2")],
            "$R|S.L 1 20 0 0 2",
        ),
        (
            "march",
            &[("army", "F.L 1"), ("route", "55"), ("command", "V"), ("flag", "+")],
            "$A|F.L 1 55 V+",
        ),
        (
            "march-split",
            &[
                ("army", "K.M 1"),
                ("route", "2"),
                ("command", "E"),
                ("flag", ""),
                ("special-army", "K.M 3"),
                ("special-count", "1000"),
            ],
            "$A|K.M 1 2 E K.M 3 1000",
        ),
        (
            "march-cut",
            &[
                ("army", "K.M 1"),
                ("route", "0"),
                ("command", "Z"),
                ("special-network", "S"),
                ("special-direction", "5"),
            ],
            "$A|K.M 1 0 Z S 5",
        ),
        ("pay", &[("realm", "2"), ("amount", "20000")], "$G|2 20000"),
        ("cede", &[("realm", "2"), ("place", "1/0")], "$L|2 1 0"),
        ("propose", &[("realm", "2"), ("treaty", "A")], "$V|2 A"),
        (
            "send",
            &[("recipient", "2"), ("text", "Seid gegrüßt!\r\nFriede?")],
            "$N|#2\nSeid gegrüßt!\nFriede?",
        ),
        ("describe", &[("text", "Ein stolzes Volk.")], "$K|Ein stolzes Volk."),
        ("ask", &[], "$S|Information"),
        ("computer", &[("computer", "Amiga")], "$S|Computer Amiga"),
        (
            "rename",
            &[("realm-name", "Großes Eisvolk")],
            "$S|Reichsname Großes Eisvolk",
        ),
    ];
    for (form, list, line) in cases {
        assert_eq!(written(form, list).as_deref(), Ok(*line), "{form}");
    }
}

#[test]
fn wrong_values_are_told_at_their_fields() {
    assert_eq!(written("pay", &[("realm", "2")]), Err(vec!["amount S01".to_owned()]));
    assert_eq!(
        written("cede", &[("realm", "2"), ("place", "0/1")]),
        Err(vec!["place S05".to_owned()])
    );
    assert_eq!(
        written("build", &[("building", "STD"), ("place", "0/0"), ("name", "a;b")]),
        Err(vec!["name O06".to_owned()])
    );
    assert_eq!(
        written("propose", &[("realm", "2"), ("treaty", "A\n$G\n2 1000")]),
        Err(vec!["treaty O06".to_owned()])
    );
    assert_eq!(written("unheard-of", &[]), Err(vec![" O07".to_owned()]));
    // A line of a letter that would open another part of the file.
    assert!(written("send", &[("recipient", "2"), ("text", "Hallo\n$G\n2 1000")]).is_err());
    // A special of another kind of army.
    assert!(
        written(
            "march-bless",
            &[
                ("army", "K.M 1"),
                ("route", "0"),
                ("command", "V"),
                ("special-place", "0/0")
            ]
        )
        .is_err()
    );
}

/// Values for a field: what fits, and now and then something else.
fn value(input: &Input) -> BoxedStrategy<String> {
    let good: BoxedStrategy<String> = match input {
        Input::Choice { choices } | Input::Army { choices, .. } if !choices.is_empty() => {
            let list: Vec<String> = choices.iter().map(|choice| choice.value.clone()).collect();
            proptest::sample::select(list).boxed()
        }
        Input::Choice { .. } | Input::Army { .. } => Just("K.M 1".to_owned()).boxed(),
        Input::Number { min, max } => (*min..=*max).prop_map(|number| number.to_string()).boxed(),
        Input::Tally { .. } => Just("K.M 2000".to_owned()).boxed(),
        Input::Flag => proptest::bool::ANY.prop_map(|flag| flag.to_string()).boxed(),
        Input::Realm => (0u16..4).prop_map(|realm| realm.to_string()).boxed(),
        Input::Place => (-9i32..9, -6i32..6).prop_map(|(x, y)| format!("{x}/{y}")).boxed(),
        Input::Direction => (1u8..=6).prop_map(|digit| digit.to_string()).boxed(),
        Input::Directions { .. } => "[1-6]{1,9}".boxed(),
        Input::Text { lines: 1, .. } => "[A-Za-zäöü ]{1,12}".boxed(),
        Input::Text { .. } => "[A-Za-zäöü#$;\n ]{1,60}".boxed(),
    };
    prop_oneof![8 => good, 1 => "[ -~\n]{0,20}", 1 => Just(String::new())].boxed()
}

fn filled() -> impl Strategy<Value = (String, Values)> {
    let forms = GAME.order_forms_of(&adler(WORLD)).expect("a readable view");
    proptest::sample::select(forms).prop_flat_map(|order| {
        let name = order.form.name.to_string();
        let fields: Vec<_> = order
            .form
            .fields
            .iter()
            .map(|field| (Just(field.name.to_string()), value(&field.input)))
            .collect();
        fields.prop_map(move |pairs| (name.clone(), pairs.into_iter().collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn what_a_form_writes_reads_back_as_one_order((form, values) in filled()) {
        let result = GAME.write_order(&adler(WORLD), &form, &values).expect("a readable view");
        match result {
            Ok(order) => {
                // Alone, and behind other orders of every part.
                let file = GAME.add_order("$B\nS 0 0 1\n$V\n2 A\n", &order);
                let parsed = parse(&Tables::book(), &seat(), file.as_bytes());
                let errors = parsed.diagnostics.iter().filter(|finding| finding.severity == Severity::Error).count();
                prop_assert_eq!(errors, 0, "{}", file);
                prop_assert_eq!(parsed.orders.len(), 3, "{}", file);
            }
            Err(faults) => prop_assert!(!faults.is_empty()),
        }
    }

    #[test]
    fn completion_never_fails_and_stays_within_its_line(file in "[ -~äöü\n$]{0,200}", line in 0u32..12, column in 0u32..40) {
        let found = GAME.complete(&adler(WORLD), &file, line, column).expect("a readable view");
        prop_assert!(found.items.len() <= 60);
        if line > 0 {
            prop_assert_eq!(found.replace.line, if found == kernel::guide::Completions::default() { 0 } else { line });
        }
    }
}

fn proposals(file: &str) -> Vec<String> {
    let line = file.split('\n').count();
    let column = file.split('\n').next_back().unwrap_or("").chars().count() + 1;
    let found = GAME
        .complete(
            &adler(WORLD),
            file,
            u32::try_from(line).unwrap(),
            u32::try_from(column).unwrap(),
        )
        .expect("a readable view");
    found.items.into_iter().map(|item| item.value).collect()
}

#[test]
fn completion_knows_parts_armies_commands_and_places() {
    assert_eq!(proposals("").len(), 9);
    assert_eq!(proposals("$A\nK.").as_slice(), ["K.M 1", "K.M 2"]);
    assert_eq!(
        proposals("$A\nK.M 1 0 V\nK").as_slice(),
        ["K.M 2", "K.M 1"],
        "ordered armies come last"
    );
    assert_eq!(
        proposals("$A\nK.M 1 12").as_slice(),
        ["121", "122", "123", "124", "125", "126"]
    );
    assert_eq!(proposals("$A\nK.M 1 12 E").as_slice(), ["E+", "E-", "E"]);
    assert_eq!(
        proposals("$A\nF.L 1 12 E"),
        Vec::<String>::new(),
        "engines conquer nothing"
    );
    assert!(proposals("$A\nK.M 1 12 V K").contains(&"K.M 2".to_owned()));
    assert_eq!(proposals("$R\nK.M 3 500 "), ["0 0"]);
    let least = Tables::book().arm_min(thoramar::codes::Kind::MediumWarrior);
    assert_eq!(proposals("$R\nK.M 3 "), [least.to_string()]);
    assert_eq!(proposals("$B\nBR"), ["BRG"]);
    assert_eq!(proposals("$V\n2 "), ["K", "A", "P"]);
    assert_eq!(proposals("$N\n#").as_slice(), ["#2", "#M", "#A", "#G", "#E"]);
    assert_eq!(proposals("$S\nc"), ["Computer"]);
    assert_eq!(
        proposals("$A\nK.M 1 ; "),
        Vec::<String>::new(),
        "a comment is the player's own"
    );
}
