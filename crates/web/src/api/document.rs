//! The interface described: for programs as an OpenAPI document, for people as a page. Both are made from the one list of
//! routes, so neither can tell of a call that is not there.

use super::problem::{CODES, ProblemBody};
use super::{Called, Family, TABLES, call, json};
use crate::Answer;
use crate::once;
use crate::page::Page;
use crate::routes::{Guard, Route, routes};
use crate::state::Web;
use crate::words::Words;
use askama::Template;
use axum::extract::State;
use axum::http::Method;
use host::token::Scope;
use std::collections::BTreeMap;
use utoipa::openapi::path::{Operation, OperationBuilder, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, Content, ContentBuilder, HttpMethod, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder,
    PathsBuilder, Ref, RefOr, Required, ResponseBuilder, Schema, ServerBuilder,
};

/// Name of the token among the keys of the document.
const TOKEN: &str = "token";
/// Name of the cookie among the keys of the document.
const COOKIE: &str = "session";

/// The names between braces in a path.
fn parameters(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split('}').next())
}

/// What may stand at a place of a path.
fn parameter(words: Words, name: &str) -> ParameterBuilder {
    let number = matches!(name, "number" | "attempt" | "realm");
    let kind = if number { Type::Integer } else { Type::String };
    let mut schema = ObjectBuilder::new().schema_type(SchemaType::Type(kind));
    if number {
        let most = if name == "realm" {
            i64::from(u16::MAX)
        } else {
            i64::from(u32::MAX)
        };
        schema = schema.minimum(Some(0)).maximum(Some(most));
    }
    if name == "turn" {
        schema = schema.pattern(Some("^([0-9]{1,9}|last)$"));
    }
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .description(Some(words.of_code("api", &format!("path-{name}"))))
        .schema(Some(schema.build()))
}

fn reference(name: &str) -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name(name))
}

fn content(schema: RefOr<Schema>) -> Content {
    ContentBuilder::new().schema(Some(schema)).build()
}

/// Content that is no JSON of ours.
fn raw(kind: &str) -> RefOr<Schema> {
    let object = match kind {
        "application/json" => ObjectBuilder::new(),
        _ => ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)),
    };
    RefOr::T(Schema::Object(object.build()))
}

/// What a token needs for a route.
pub fn scope(route: &Route) -> Scope {
    let by_method = if route.method == Method::GET {
        Scope::Read
    } else {
        Scope::Write
    };
    route.call.as_ref().and_then(|call| call.scope).unwrap_or(by_method)
}

fn operation(words: Words, route: &Route, call: &call::Call) -> Operation {
    let answered = &call.answered;
    let mut response = ResponseBuilder::new().description(words.t("api.well"));
    for kind in &answered.kinds {
        let schema = match &answered.shape {
            Some(shape) => reference(&shape.name),
            None => raw(kind),
        };
        response = response.content(*kind, content(schema));
    }
    let problem = ResponseBuilder::new()
        .description(words.t("api.problem"))
        .content("application/problem+json", content(reference("Problem")));
    let mut operation = OperationBuilder::new()
        .operation_id(Some(call.name))
        .tag(call.family.name())
        .summary(Some(words.of_code("api", &format!("call-{}", call.name))))
        .description(Some(needs(words, route)))
        .response(answered.status.to_string(), response.build())
        .response("default", problem.build())
        .security(SecurityRequirement::new(TOKEN, Vec::<String>::new()))
        .security(SecurityRequirement::new(COOKIE, Vec::<String>::new()));
    for name in parameters(route.path) {
        operation = operation.parameter(parameter(words, name));
    }
    for query in &call.queries {
        let mut query = query.clone();
        query.schema.iter_mut().for_each(call::write_bounds);
        operation = operation.parameter(query);
    }
    if route.method == Method::POST && scope(route) == Scope::Write {
        let number = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .description(Some(words.t("api.parameter-once")))
            .required(Required::False)
            .schema(Some(
                ObjectBuilder::new()
                    .schema_type(SchemaType::Type(Type::String))
                    .max_length(Some(once::LONGEST)),
            ));
        operation = operation.parameter(number);
    }
    if let Some(body) = &call.body {
        let body = RequestBodyBuilder::new()
            .content("application/json", content(reference(&body.name)))
            .required(Some(Required::True));
        operation = operation.request_body(Some(body.build()));
    }
    if !call.files.is_empty() {
        let body = RequestBodyBuilder::new().required(Some(Required::True));
        let body = call
            .files
            .iter()
            .fold(body, |body, kind| body.content(*kind, content(raw(kind))));
        operation = operation.request_body(Some(body.build()));
    }
    operation.build()
}

/// Who may use a call and what his token needs, in words.
fn needs(words: Words, route: &Route) -> String {
    let whom = match route.guard {
        Guard::Member => words.t("api.for-members"),
        Guard::Seat => words.t("api.for-players"),
        Guard::GameMaster => words.t("api.for-masters"),
        Guard::Admin => words.t("api.for-keepers"),
        Guard::Anyone | Guard::Account => words.t("api.for-everybody"),
    };
    let scope = match scope(route) {
        Scope::Read => words.t("api.needs-read"),
        Scope::Write => words.t("api.needs-write"),
    };
    format!("{whom} {scope}")
}

fn method(route: &Route) -> HttpMethod {
    match route.method {
        Method::POST => HttpMethod::Post,
        Method::PUT => HttpMethod::Put,
        Method::DELETE => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

/// The document in a language.
pub fn document(words: Words, public_url: &str) -> OpenApi {
    let mut paths: BTreeMap<&str, PathItem> = BTreeMap::new();
    let mut schemas: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
    schemas.extend(call::Shape::of::<ProblemBody>().schemas());
    for route in routes() {
        let Some(call) = &route.call else { continue };
        let item = PathItem::new(method(&route), operation(words, &route, call));
        match paths.get_mut(route.path) {
            Some(path) => path.merge_operations(item),
            None => {
                paths.insert(route.path, item);
            }
        }
        for shape in call.body.iter().chain(&call.answered.shape) {
            schemas.extend(shape.schemas());
        }
    }
    schemas.values_mut().for_each(call::write_bounds);
    let mut all = PathsBuilder::new();
    for (path, item) in paths {
        all = all.path(path, item);
    }
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some(words.t("api.key-token")));
    let cookie = ApiKeyValue::with_description("sitzung", &words.t("api.key-cookie"));
    let components = ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .security_scheme(TOKEN, SecurityScheme::Http(token.build()))
        .security_scheme(COOKIE, SecurityScheme::ApiKey(ApiKey::Cookie(cookie)));
    let tags = Family::ALL.map(|family| {
        let text = words.of_code("api", &format!("family-{}", family.name()));
        TagBuilder::new().name(family.name()).description(Some(text)).build()
    });
    let licence = LicenseBuilder::new()
        .name("MIT OR Apache-2.0")
        .identifier(Some("MIT OR Apache-2.0"))
        .build();
    let info = InfoBuilder::new()
        .title(words.t("api.title"))
        .version("1")
        .description(Some(words.t("api.text")))
        .license(Some(licence));
    let server = if public_url.is_empty() { "/" } else { public_url };
    OpenApiBuilder::new()
        .info(info.build())
        .servers(Some([ServerBuilder::new().url(server).build()]))
        .paths(all.build())
        .components(Some(components.build()))
        .tags(Some(tags))
        .build()
}

/// `GET /api/openapi.json`
pub async fn openapi(State(web): State<Web>, page: Page) -> Called {
    json(&document(page.words, &web.settings.public_url))
}

/// A call on the page.
struct Line {
    id: &'static str,
    method: String,
    path: &'static str,
    text: String,
    needs: String,
    curl: String,
    queries: Vec<(String, String)>,
}

struct Group {
    name: &'static str,
    title: String,
    calls: Vec<Line>,
}

struct Code {
    status: u16,
    code: &'static str,
    text: String,
}

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage<'a> {
    page: &'a Page,
    host: String,
    groups: Vec<Group>,
    codes: Vec<Code>,
}

/// An example for the command line.
fn curl(host: &str, route: &Route, call: &call::Call) -> String {
    let mut path = route.path.replace("{world}", "Nebelmark").replace("{turn}", "last");
    while let (Some(from), Some(to)) = (path.find('{'), path.find('}')) {
        path.replace_range(from..=to, "1");
    }
    let how = match route.method {
        Method::GET => String::new(),
        ref method => format!(" -X {method}"),
    };
    let body = match &call.body {
        Some(body) => format!(
            " \\\n  -H 'Content-Type: application/json' -d '{}'",
            super::call::example(body)
        ),
        None => match call.files.first() {
            Some(kind) => {
                let file = if call.files == TABLES {
                    "zugbogen.csv"
                } else {
                    "bild.png"
                };
                format!(" \\\n  -H 'Content-Type: {kind}' --data-binary @{file}")
            }
            None => String::new(),
        },
    };
    format!("curl{how} -H \"Authorization: Bearer $TOKEN\"{body} \\\n  '{host}{path}'")
}

/// `GET /api`
pub async fn show(State(web): State<Web>, page: Page) -> Answer {
    let host = match web.settings.public_url.as_str() {
        "" => "https://briefwelt.example".to_owned(),
        url => url.to_owned(),
    };
    let all = routes();
    let line = |route: &Route| {
        let call = route.call.as_ref()?;
        let query =
            |of: &utoipa::openapi::path::Parameter| (of.name.clone(), of.description.clone().unwrap_or_default());
        Some(Line {
            id: call.name,
            method: route.method.to_string(),
            path: route.path,
            text: page.words.of_code("api", &format!("call-{}", call.name)),
            needs: needs(page.words, route),
            curl: curl(&host, route, call),
            queries: call.queries.iter().map(query).collect(),
        })
    };
    let groups = Family::ALL.map(|family| Group {
        name: family.name(),
        title: page.words.of_code("api", &format!("family-{}", family.name())),
        calls: all
            .iter()
            .filter(|route| route.call.as_ref().is_some_and(|call| call.family == family))
            .filter_map(line)
            .collect(),
    });
    let codes = CODES.map(|(status, code)| Code {
        status,
        code,
        text: page.words.of_code("api", &format!("problem-{code}")),
    });
    page.show(&ApiPage {
        page: &page,
        groups: groups.into(),
        codes: codes.into(),
        host,
    })
}
