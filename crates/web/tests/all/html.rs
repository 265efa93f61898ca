//! Pages taken apart as far as tests need it: tags with their attributes, links, forms.

/// A tag; a closing one is called `/name`.
#[derive(Clone, Debug)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

/// Text without its escapes.
pub fn plain(text: &str) -> String {
    let escapes = [
        ("&lt;", "<"),
        ("&#60;", "<"),
        ("&gt;", ">"),
        ("&#62;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#38;", "&"),
        ("&amp;", "&"),
    ];
    escapes
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The tags of a page as a browser reads them.
pub fn tags(page: &str) -> Vec<Tag> {
    let bytes = page.as_bytes();
    let mut tags = Vec::new();
    let mut at = 0;
    while let Some(start) = page[at..].find('<').map(|start| at + start) {
        let begins = bytes.get(start + 1).copied().unwrap_or(b' ');
        if !(begins.is_ascii_alphabetic() || begins == b'/') {
            at = start + 1;
            continue;
        }
        let mut end = start + 1;
        while end < bytes.len() && !bytes[end].is_ascii_whitespace() && bytes[end] != b'>' {
            // A slash ends the name, too: `<svg/onload=…>`.
            if end > start + 1 && bytes[end] == b'/' {
                break;
            }
            end += 1;
        }
        let name = page[start + 1..end].to_ascii_lowercase();
        let (attributes, end) = attributes(page, end);
        tags.push(Tag { name, attributes });
        at = end;
    }
    tags
}

fn attributes(page: &str, mut at: usize) -> (Vec<(String, String)>, usize) {
    let bytes = page.as_bytes();
    let mut found = Vec::new();
    loop {
        while at < bytes.len() && (bytes[at].is_ascii_whitespace() || bytes[at] == b'/') {
            at += 1;
        }
        if at >= bytes.len() || bytes[at] == b'>' {
            return (found, (at + 1).min(bytes.len()));
        }
        let start = at;
        while at < bytes.len() && !bytes[at].is_ascii_whitespace() && !b"=>/".contains(&bytes[at]) {
            at += 1;
        }
        let name = page[start..at].to_ascii_lowercase();
        if bytes.get(at) != Some(&b'=') {
            found.push((name, String::new()));
            at = at.max(start + 1);
            continue;
        }
        at += 1;
        let (from, to, next) = match bytes.get(at) {
            Some(quote @ (b'"' | b'\'')) => {
                let length = page[at + 1..].bytes().position(|byte| byte == *quote);
                let to = length.map_or(bytes.len(), |length| at + 1 + length);
                (at + 1, to, (to + 1).min(bytes.len()))
            }
            _ => {
                let length = page[at..]
                    .bytes()
                    .position(|byte| byte.is_ascii_whitespace() || byte == b'>');
                let to = length.map_or(bytes.len(), |length| at + length);
                (at, to, to)
            }
        };
        found.push((name, plain(&page[from..to])));
        at = next;
    }
}

/// Where a page leads.
pub fn links(page: &str) -> Vec<String> {
    let addresses = tags(page)
        .into_iter()
        .filter(|tag| tag.name == "a" || tag.name == "img");
    addresses
        .filter_map(|tag| tag.get("href").or_else(|| tag.get("src")).map(str::to_owned))
        .map(|link| link.split('#').next().unwrap_or_default().to_owned())
        .filter(|link| link.starts_with('/') && !link.starts_with("/assets/"))
        .collect()
}

/// A form that writes.
#[derive(Clone, Debug)]
pub struct Form {
    pub action: String,
    pub multipart: bool,
    /// Names of fields that take any text.
    pub texts: Vec<String>,
    /// Fields with the values that they have.
    pub others: Vec<(String, String)>,
    /// Buttons: name, value, and an address of their own.
    pub buttons: Vec<(String, String, Option<String>)>,
}

/// The forms of a page that write.
pub fn forms(page: &str) -> Vec<Form> {
    let mut forms = Vec::new();
    let mut open: Option<Form> = None;
    let mut select: Option<(String, Option<String>)> = None;
    for tag in tags(page) {
        let value = |name: &str| tag.get(name).unwrap_or_default().to_owned();
        if tag.name == "form" {
            open = (value("method") == "post").then(|| Form {
                action: value("action"),
                multipart: value("enctype") == "multipart/form-data",
                texts: Vec::new(),
                others: Vec::new(),
                buttons: Vec::new(),
            });
            continue;
        }
        let Some(form) = &mut open else { continue };
        match tag.name.as_str() {
            "/form" => forms.extend(open.take()),
            "textarea" => form.texts.push(value("name")),
            "select" => select = Some((value("name"), None)),
            "option" => {
                if let Some((_, chosen)) = &mut select
                    && (chosen.is_none() || tag.has("selected"))
                {
                    *chosen = Some(value("value"));
                }
            }
            "/select" => {
                if let Some((name, chosen)) = select.take() {
                    form.others.push((name, chosen.unwrap_or_default()));
                }
            }
            "button" => form
                .buttons
                .push((value("name"), value("value"), tag.get("formaction").map(str::to_owned))),
            "input" if tag.has("name") => match tag.get("type").unwrap_or("text") {
                "text" | "search" | "email" | "password" | "url" => form.texts.push(value("name")),
                "radio" => {
                    let name = value("name");
                    let known = form.others.iter().position(|(of, _)| *of == name);
                    match known {
                        Some(at) if tag.has("checked") => form.others[at].1 = value("value"),
                        Some(_) => {}
                        None => form.others.push((name, value("value"))),
                    }
                }
                "checkbox" => form
                    .others
                    .push((value("name"), tag.get("value").unwrap_or("on").to_owned())),
                "number" if value("value").is_empty() => form.others.push((value("name"), "1".to_owned())),
                "file" => {}
                _ => form.others.push((value("name"), value("value"))),
            },
            _ => {}
        }
    }
    forms
}

/// What on a page was written by somebody else than us: a tag or attribute that does something.
pub fn foreign(page: &str) -> Option<String> {
    for tag in tags(page) {
        let script = tag.name == "script" && !tag.get("src").is_some_and(|src| src.starts_with("/assets/"));
        let strange = ["iframe", "object", "embed", "base", "foreignobject", "xss-probe"].contains(&tag.name.as_str());
        let acts = |(name, value): &(String, String)| {
            let goes = ["href", "src", "action", "formaction", "xlink:href"].contains(&name.as_str());
            let value = value.trim_start().to_ascii_lowercase();
            name.starts_with("on") || name == "srcdoc" || (goes && value.starts_with("javascript:"))
        };
        if script || strange || tag.attributes.iter().any(acts) {
            return Some(format!("{tag:?}"));
        }
    }
    None
}

#[test]
fn what_a_browser_would_obey_is_found() {
    for bad in [
        "<script>alert(1)</script>",
        "<p title=\"a\" onclick=x>",
        "<svg/onload=alert(1)>",
        "<a href=\" javascript:alert(1)\">",
        "<a href='x' ONFOCUS='y'>",
        "<p title=''><xss-probe>",
        "<iframe src=/>",
        "<base href=//evil>",
        "<script src=\"//evil/assets/\">",
    ] {
        assert!(foreign(bad).is_some(), "{bad}");
    }
    for good in [
        "<script src=\"/assets/1/a.js\" defer></script><p title=\"a > b onclick=x\">1 < 2</p>",
        "<a href=\"/welt?x=javascript:\">&lt;script&gt;</a>",
        "<p>a &lt;xss-probe onfocus=alert(1)&gt;</p>",
    ] {
        assert_eq!(foreign(good), None, "{good}");
    }
    let page = "<form method=\"post\" action=\"/a?b=1&#38;c=2\"><input name=\"x\"><input type=\"hidden\" name=\"y\" value=\"&#34;\">\
                <select name=\"z\"><option value=\"1\"><option value=\"2\" selected></select><button name=\"tun\" value=\"los\">\
                </form><form method=\"get\"><input name=\"q\"></form>";
    let form = forms(page).remove(0);
    assert_eq!(form.action, "/a?b=1&c=2");
    assert_eq!(form.texts, ["x"]);
    assert_eq!(
        form.others,
        [("y".to_owned(), "\"".to_owned()), ("z".to_owned(), "2".to_owned())]
    );
    assert_eq!(form.buttons.len(), 1);
    assert_eq!(forms(page).len(), 1);
}
