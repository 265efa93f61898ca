use super::zip::pack;
use super::*;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use kernel::diagnostic::Name;
use kernel::form::Input;
use kernel::sheet::Column;
use std::io::Write as _;

fn plain(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn section(name: &'static str, columns: &[&'static str]) -> Section {
    let column = |&name: &&'static str| Column {
        name: Name::Borrowed(name),
        label: Name::Borrowed(""),
        group: Name::Borrowed(""),
        input: Input::Text { max: 99, lines: 1 },
        chars: 9,
    };
    Section {
        name: Name::Borrowed(name),
        title: Name::Borrowed(""),
        help: Name::Borrowed(""),
        rules: Vec::new(),
        columns: columns.iter().map(column).collect(),
        ways: false,
    }
}

fn sections() -> [Section; 2] {
    [
        section("zuege", &["heer", "gf", "kf", "besonderes"]),
        section("befehle", &["befehl"]),
    ]
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

fn sheet() -> Rows {
    let moves = vec![
        row(&["KH 1 *", "5", "05", "V, SL \"Sucht; was da ist\""]),
        row(&["+", "12", "0", "<a> & 'b', ä\u{1f985}"]),
        row(&["RH 2", "5", "7", "=1+1"]),
    ];
    let lines = vec![row(&["HYGIENE 10000"]), row(&["NACHRICHT Berg \"1; 2, 3\""])];
    Rows::from([("zuege".into(), moves), ("befehle".into(), lines)])
}

fn titles() -> Vec<String> {
    vec!["Züge: [A/B]".into(), "Weitere".into()]
}

#[test]
fn a_sheet_comes_back_from_every_kind_of_file() {
    for format in Format::ALL {
        let file = write(format, &of_sheet(&sections(), &titles(), &sheet()));
        let read = read(&file, plain).unwrap_or_else(|trouble| panic!("{format:?}: {trouble:?}"));
        let (rows, origins) = to_sheet(&sections(), &read);
        assert_eq!(rows, sheet(), "{format:?}");
        // The head is the first row.
        assert_eq!(origins["zuege"][0].1, 1, "{format:?}");
    }
}

#[test]
fn a_part_without_rows_is_empty_and_one_that_is_not_there_is_missing() {
    let mut emptied = sheet();
    emptied.insert("befehle".into(), Vec::new());
    for format in Format::ALL {
        let file = write(format, &of_sheet(&sections(), &titles(), &emptied));
        let (rows, _) = to_sheet(&sections(), &read(&file, plain).expect("a file that was just written"));
        assert_eq!(rows, emptied, "{format:?}");
        let file = write(format, &of_sheet(&sections()[..1], &titles()[..1], &sheet()));
        let (rows, _) = to_sheet(&sections(), &read(&file, plain).expect("a file that was just written"));
        assert!(!rows.contains_key("befehle"), "{format:?}");
    }
}

#[test]
fn tables_of_other_programs_are_read() {
    for text in [
        "heer;gf;kf;besonderes\r\nKH 1;5;12;\"V, SL \"\"so; so\"\"\"\r\n",
        "heer,gf,kf,besonderes\nKH 1,5,12,\"V, SL \"\"so; so\"\"\"",
        "\u{feff}HEER\tGF\tKF\tBesonderes\rKH 1\t5\t12\tV, SL \"so; so\"\r\r",
        "KH 1;5;12;V, SL \"so; so\"",
    ] {
        let (rows, _) = to_sheet(&sections(), &read(text.as_bytes(), plain).expect("a table"));
        assert_eq!(rows["zuege"], [row(&["KH 1", "5", "12", "V, SL \"so; so\""])], "{text}");
    }
    // A quotation that nobody ends swallows nothing.
    let (rows, _) = to_sheet(&sections(), &read(b"KH 1;\"5;12\nRH 2;1;1", plain).expect("a table"));
    assert_eq!(rows["zuege"].len(), 2);
}

/// A file as LibreOffice writes it: repeated cells and rows, spaces as elements, numbers with another look, rows in groups.
#[test]
fn an_ods_with_repeated_cells_is_read() {
    let content = r#"<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">
<office:body><office:spreadsheet><table:table table:name="Tabelle1"><table:table-column table:number-columns-repeated="16384"/>
<table:table-header-rows><table:table-row><table:table-cell office:value-type="string"><text:p>heer</text:p></table:table-cell><table:table-cell><text:p>gf</text:p></table:table-cell><table:table-cell><text:p>kf</text:p></table:table-cell><table:table-cell><text:p>besonderes</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16380"/></table:table-row></table:table-header-rows>
<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
<table:table-row><table:table-cell office:value-type="string"><text:p>KH<text:s/>1<text:span> *</text:span></text:p></table:table-cell><table:table-cell office:value-type="float" office:value="5" table:number-columns-repeated="2"><text:p>5,00</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>V</text:p><office:annotation><text:p>Notiz</text:p></office:annotation></table:table-cell></table:table-row>
<table:table-row-group><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><text:p>RH 2</text:p></table:table-cell><table:table-cell/><table:table-cell office:value-type="float" office:value="2.5"><text:p>2,5</text:p></table:table-cell></table:table-row></table:table-row-group>
<table:table-row table:number-rows-repeated="1048567"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
</table:table></office:spreadsheet></office:body></office:document-content>"#;
    let file = pack(&[("mimetype", ods::KIND), ("content.xml", content)]);
    let (rows, origins) = to_sheet(&sections(), &read(&file, plain).expect("a table"));
    assert_eq!(
        rows["zuege"],
        [
            row(&["KH 1 *", "5", "5", "V"]),
            row(&["RH 2", "", "2,5"]),
            row(&["RH 2", "", "2,5"]),
        ]
    );
    let numbers: Vec<usize> = origins["zuege"].iter().map(|(_, number)| *number).collect();
    assert_eq!(
        numbers,
        [4, 5, 6],
        "row 5 of the file is the first behind three empty ones"
    );
    assert_eq!(origins["zuege"][0].0, "Tabelle1");
}

/// A file as LibreOffice and Excel write it: shared texts in pieces, numbers, gaps, another place of the table.
#[test]
fn an_xlsx_with_shared_texts_is_read() {
    let book = r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Bogen" sheetId="1" r:id="rId7"/></sheets></workbook>"#;
    let related = r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId7" Type="t" Target="/xl/worksheets/blatt.xml"/></Relationships>"#;
    let shared = r#"<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" count="2" uniqueCount="2"><si><t>KH 1</t></si><si><r><t xml:space="preserve">V, </t></r><r><rPr><b/></rPr><t>NEUTRAL</t></r><rPh><t>x</t></rPh></si></sst>"#;
    let sheet = r#"<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="4"><c r="A4" t="s"><v>0</v></c><c r="B4"><v>5.0</v></c><c r="D4" t="s"><v>1</v></c><c r="ZZZ4"><v>9</v></c></row><row><c t="inlineStr"><is><t>RH 2</t></is></c><c><v>12</v></c><c t="str"><f>1+1</f><v>2</v></c><c t="s"><v>99</v></c></row></sheetData></worksheet>"#;
    let file = pack(&[
        ("xl/workbook.xml", book),
        ("xl/_rels/workbook.xml.rels", related),
        ("xl/sharedStrings.xml", shared),
        ("xl/worksheets/blatt.xml", sheet),
    ]);
    let (rows, origins) = to_sheet(&sections(), &read(&file, plain).expect("a table"));
    assert_eq!(
        rows["zuege"],
        [row(&["KH 1", "5", "", "V, NEUTRAL"]), row(&["RH 2", "12", "2"])]
    );
    assert_eq!(origins["zuege"], [("Bogen".to_owned(), 3), ("Bogen".to_owned(), 4)]);
}

/// A packed part that says it is this text.
fn packed(name: &str, text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).expect("packed");
    let body = encoder.finish().expect("packed");
    let mut crc = flate2::Crc::new();
    crc.update(text);
    let mut head = Vec::new();
    for number in [20u16, 0, 8, 0, 33] {
        head.extend(number.to_le_bytes());
    }
    for number in [crc.sum(), body.len() as u32, text.len() as u32] {
        head.extend(number.to_le_bytes());
    }
    head.extend((name.len() as u16).to_le_bytes());
    head.extend([0, 0]);
    let mut file = b"PK\x03\x04".to_vec();
    file.extend(&head);
    file.extend(name.as_bytes());
    file.extend(&body);
    let begin = file.len() as u32;
    file.extend(b"PK\x01\x02\x14\0");
    file.extend(&head);
    file.extend([0; 14]);
    file.extend(name.as_bytes());
    let length = file.len() as u32 - begin;
    file.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    file.extend(length.to_le_bytes());
    file.extend(begin.to_le_bytes());
    file.extend([0, 0]);
    file
}

#[test]
fn packed_parts_are_unpacked_and_bombs_are_not() {
    let small = "<a xmlns:t='t'><spreadsheet><table><table-row><table-cell><p>KH 1</p></table-cell></table-row></table></spreadsheet></a>";
    let (rows, _) = to_sheet(
        &sections(),
        &read(&packed("content.xml", small.as_bytes()), plain).expect("a table"),
    );
    assert_eq!(rows["zuege"], [row(&["KH 1"])]);
    let bomb = packed("content.xml", &vec![b' '; UNPACKED_BYTES + 1]);
    assert!(bomb.len() < FILE_BYTES, "{}", bomb.len());
    assert_eq!(read(&bomb, plain), Err(Trouble::TooLarge));
    assert_eq!(read(&vec![b';'; FILE_BYTES + 1], plain), Err(Trouble::TooLarge));
}

/// A small file may say of one text that it stands in many cells.
#[test]
fn a_text_that_is_said_once_and_meant_a_thousand_times_is_a_bomb_too() {
    let ods = |length: usize, columns: usize, rows: usize| {
        let text = "x".repeat(length);
        let row = format!(
            "<table-row number-rows-repeated='{rows}'><table-cell number-columns-repeated='{columns}'><p>{text}</p></table-cell></table-row>"
        );
        let content = format!("<a><spreadsheet><table>{row}</table></spreadsheet></a>");
        read(&packed("content.xml", content.as_bytes()), plain)
    };
    assert!(ods(CELL_BYTES, 1, 1).is_ok());
    assert_eq!(ods(CELL_BYTES + 1, 1, 1), Err(Trouble::TooLarge));
    let rows = CELLS_BYTES / (CELL_BYTES * COLUMNS_MAX);
    assert!(ods(CELL_BYTES, COLUMNS_MAX, rows).is_ok());
    assert_eq!(ods(CELL_BYTES, COLUMNS_MAX, rows + 1), Err(Trouble::TooLarge));
    assert_eq!(ods(1_000_000, COLUMNS_MAX, ROWS_MAX), Err(Trouble::TooLarge));
    // Many tables share the room that one has.
    let table = |rows: usize| {
        format!(
            "<table><table-row number-rows-repeated='{rows}'><table-cell number-columns-repeated='100'><p>{}</p></table-cell></table-row></table>",
            "x".repeat(CELL_BYTES)
        )
    };
    let content = format!("<a><spreadsheet>{}{}</spreadsheet></a>", table(rows), table(1));
    assert_eq!(
        read(&packed("content.xml", content.as_bytes()), plain),
        Err(Trouble::TooLarge)
    );

    let book = r#"<workbook><sheets><sheet name="a"/></sheets></workbook>"#;
    let xlsx = |length: usize, columns: usize, rows: usize| {
        let shared = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(length));
        let row = format!("<row>{}</row>", "<c t=\"s\"><v>0</v></c>".repeat(columns));
        let sheet = format!("<worksheet><sheetData>{}</sheetData></worksheet>", row.repeat(rows));
        read(
            &pack(&[
                ("xl/workbook.xml", book),
                ("xl/sharedStrings.xml", &shared),
                ("xl/worksheets/sheet1.xml", &sheet),
            ]),
            plain,
        )
    };
    assert!(xlsx(CELL_BYTES, COLUMNS_MAX, rows).is_ok());
    assert_eq!(xlsx(CELL_BYTES, COLUMNS_MAX, rows + 1), Err(Trouble::TooLarge));
    assert_eq!(xlsx(CELL_BYTES + 1, 1, 1), Err(Trouble::TooLarge));
    // A table as text says everything as often as it stands there; a single cell has the same bound.
    assert_eq!(
        read("x".repeat(CELL_BYTES + 1).as_bytes(), plain),
        Err(Trouble::TooLarge)
    );
}

#[test]
fn tables_have_an_end() {
    let ods = |body: &str| {
        let content = format!("<a><spreadsheet>{body}</spreadsheet></a>");
        read(&pack(&[("content.xml", &content)]), plain)
    };
    let repeated = |count: usize| {
        format!(
            "<table><table-row number-rows-repeated='{count}'><table-cell><p>x</p></table-cell></table-row></table>"
        )
    };
    assert!(ods(&repeated(ROWS_MAX)).is_ok());
    assert_eq!(ods(&repeated(ROWS_MAX + 1)), Err(Trouble::TooLarge));
    assert_eq!(ods(&repeated(1_000_000_000)), Err(Trouble::TooLarge));
    assert_eq!(ods(&"<table/>".repeat(TABLES_MAX + 1)), Err(Trouble::TooLarge));
    let wide = ods(
        "<table><table-row><table-cell number-columns-repeated='999999999'><p>x</p></table-cell></table-row></table>",
    );
    assert_eq!(wide.expect("a table").tables[0].rows[0].1.len(), COLUMNS_MAX);
    let long = "x\n".repeat(ROWS_MAX + 1);
    assert_eq!(read(long.as_bytes(), plain), Err(Trouble::TooLarge));
}

#[test]
fn no_entity_leads_anywhere() {
    for text in [
        "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a><spreadsheet><table><table-row><table-cell><p>&x;</p></table-cell></table-row></table></spreadsheet></a>",
        "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;\">]><a><spreadsheet>&y;</spreadsheet></a>",
    ] {
        assert_eq!(
            read(&pack(&[("content.xml", text)]), plain),
            Err(Trouble::Unreadable),
            "{text}"
        );
        assert_eq!(
            read(&pack(&[("xl/workbook.xml", text)]), plain),
            Err(Trouble::Unreadable)
        );
    }
}

#[test]
fn damaged_files_are_refused_and_bring_nothing_down() {
    let good = write(Format::Xlsx, &of_sheet(&sections(), &titles(), &sheet()));
    // The last two bytes only say that there is no comment.
    for end in 0..good.len() - 2 {
        assert!(read(&good[..end], plain).is_err() || end < 2, "{end}");
    }
    for at in (0..good.len()).step_by(3) {
        let mut bad = good.clone();
        bad[at] ^= 0xff;
        // Whatever comes out, it comes out.
        let _ = read(&bad, plain);
    }
    for bytes in [
        &b"PK"[..],
        b"PK\x05\x06",
        b"\x89PNG\0",
        b"\0",
        b"PK\x03\x04zip without a list",
    ] {
        assert_eq!(read(bytes, plain), Err(Trouble::Unreadable), "{bytes:?}");
    }
    let mut locked = pack(&[("content.xml", "<a/>")]);
    let list = locked
        .windows(4)
        .position(|part| part == b"PK\x01\x02")
        .expect("the list");
    locked[list + 8] = 1;
    assert_eq!(read(&locked, plain), Err(Trouble::Locked));
    assert_eq!(
        read(b"", plain),
        Ok(Workbook {
            tables: vec![Table::default()]
        })
    );
}
