//! What the document says of a call: its name and family, what is sent and asked, what is answered, what a token needs.

use host::token::Scope;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{ArrayItems, Object};
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat};
use utoipa::{IntoParams, Number, PartialSchema, ToSchema};

/// Characters of the longest text that is one line.
const LINE_MAX: usize = 300;

/// Calls that belong together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// The account and its worlds.
    Account,
    /// A world as its players see it.
    World,
    /// What happened in a turn.
    Turn,
    /// Orders of the open turn.
    Orders,
    /// Letters.
    Letters,
    /// The newspaper.
    Newspaper,
    /// Coats of arms and seals.
    Arms,
    /// Games, and worlds that are not made yet.
    Founding,
    /// The game master's desk.
    Lead,
    /// The keeper's room.
    Host,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Account,
        Self::World,
        Self::Turn,
        Self::Orders,
        Self::Letters,
        Self::Newspaper,
        Self::Arms,
        Self::Lead,
        Self::Founding,
        Self::Host,
    ];

    /// Its name in the document.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::World => "world",
            Self::Turn => "turn",
            Self::Orders => "orders",
            Self::Letters => "letters",
            Self::Newspaper => "newspaper",
            Self::Arms => "arms",
            Self::Founding => "founding",
            Self::Lead => "lead",
            Self::Host => "host",
        }
    }
}

/// The form of what goes in or out.
#[derive(Clone)]
pub struct Shape {
    /// Its name among the schemas of the document.
    pub name: String,
    schema: fn() -> RefOr<Schema>,
    within: fn(&mut Vec<(String, RefOr<Schema>)>),
}

impl Shape {
    /// The form of a type.
    pub fn of<T: ToSchema>() -> Self {
        Self {
            name: T::name().into_owned(),
            schema: <T as PartialSchema>::schema,
            within: <T as ToSchema>::schemas,
        }
    }

    /// Which field of a body goes beyond what its schema says, and what that is: a line that would be cut otherwise, a number
    /// that would be moved to the next possible one. Long texts are judged by those who keep them, in words of their own.
    pub fn excess(&self, body: &serde_json::Map<String, serde_json::Value>) -> Option<String> {
        let RefOr::T(Schema::Object(of)) = (self.schema)() else {
            return None;
        };
        body.iter().find_map(|(name, value)| match of.properties.get(name) {
            Some(RefOr::T(Schema::Object(field))) => beyond(name, field, value),
            _ => None,
        })
    }

    /// Its schema and those that it names.
    pub fn schemas(&self) -> Vec<(String, RefOr<Schema>)> {
        let mut all = vec![(self.name.clone(), (self.schema)())];
        (self.within)(&mut all);
        all
    }
}

/// Which bound a value goes beyond, if it does.
fn beyond(name: &str, field: &Object, value: &serde_json::Value) -> Option<String> {
    let number = |limit: &Number| match *limit {
        Number::Int(number) => i64::try_from(number).ok(),
        Number::UInt(number) => i64::try_from(number).ok(),
        Number::Float(_) => None,
    };
    if let (Some(line), Some(most)) = (value.as_str(), field.max_length.filter(|most| *most <= LINE_MAX)) {
        let length = line.chars().count();
        return (length > most).then(|| format!("{name}: {length} > {most}"));
    }
    let value = value.as_i64()?;
    let least = field.minimum.as_ref().and_then(number).filter(|least| value < *least);
    let most = field.maximum.as_ref().and_then(number).filter(|most| value > *most);
    match (least, most) {
        (Some(least), _) => Some(format!("{name}: {value} < {least}")),
        (_, Some(most)) => Some(format!("{name}: {value} > {most}")),
        _ => None,
    }
}

/// Which part of a query goes beyond what the document says, and what that is.
pub fn excess_of_query<T: IntoParams>(query: &[(String, String)]) -> Option<String> {
    let parameters = T::into_params(|| Some(ParameterIn::Query));
    query.iter().find_map(|(name, text)| {
        let parameter = parameters.iter().find(|of| of.name == *name)?;
        let Some(RefOr::T(Schema::Object(field))) = &parameter.schema else {
            return None;
        };
        let value = text
            .parse::<i64>()
            .map_or_else(|_| text.as_str().into(), serde_json::Value::from);
        beyond(name, field, &value)
    })
}

/// Writes out what the format of a number means: not every reader knows all formats.
pub fn write_bounds(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            let most = match object.format {
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt8)) => Some(u64::from(u8::MAX)),
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt16)) => Some(u64::from(u16::MAX)),
                Some(SchemaFormat::KnownFormat(KnownFormat::UInt32)) => Some(u64::from(u32::MAX)),
                _ => None,
            };
            if let Some(most) = most {
                object.minimum.get_or_insert(Number::UInt(0));
                object.maximum.get_or_insert(Number::from(most));
            }
            object.properties.values_mut().for_each(write_bounds);
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                write_bounds(items);
            }
        }
        Schema::OneOf(of) => of.items.iter_mut().for_each(write_bounds),
        Schema::AllOf(of) => of.items.iter_mut().for_each(write_bounds),
        Schema::AnyOf(of) => of.items.iter_mut().for_each(write_bounds),
        _ => {}
    }
}

/// What a call answers when all is well.
#[derive(Clone)]
pub struct Answered {
    /// The status.
    pub status: u16,
    /// The kinds of content; none for an empty answer.
    pub kinds: Vec<&'static str>,
    /// The form of JSON.
    pub shape: Option<Shape>,
}

/// A call as the document describes it.
#[derive(Clone)]
pub struct Call {
    /// Its name, in the document and among the words.
    pub name: &'static str,
    /// What it belongs to.
    pub family: Family,
    /// What a token needs for it; by its method, unless the call says otherwise.
    pub scope: Option<Scope>,
    /// What may be asked.
    pub queries: Vec<Parameter>,
    /// What is sent.
    pub body: Option<Shape>,
    /// The kinds of files of which one is sent; none if no file is.
    pub files: &'static [&'static str],
    /// What is answered.
    pub answered: Answered,
}

impl Call {
    /// A call that answers with nothing.
    pub fn new(name: &'static str, family: Family) -> Self {
        Self {
            name,
            family,
            scope: None,
            queries: Vec::new(),
            body: None,
            files: &[],
            answered: Answered {
                status: 204,
                kinds: Vec::new(),
                shape: None,
            },
        }
    }

    /// Answers with JSON of this form.
    #[must_use]
    pub fn gives<T: ToSchema>(mut self) -> Self {
        self.answered = Answered {
            status: 200,
            kinds: vec!["application/json"],
            shape: Some(Shape::of::<T>()),
        };
        self
    }

    /// Answers with JSON of this form about something that was made.
    #[must_use]
    pub fn makes<T: ToSchema>(mut self) -> Self {
        self = self.gives::<T>();
        self.answered.status = 201;
        self
    }

    /// Answers with these kinds of content; JSON is any.
    #[must_use]
    pub fn shows(mut self, kinds: &[&'static str]) -> Self {
        self.answered = Answered {
            status: 200,
            kinds: kinds.to_vec(),
            shape: None,
        };
        self
    }

    /// May be asked this.
    #[must_use]
    pub fn asks<T: IntoParams>(mut self) -> Self {
        self.queries = T::into_params(|| Some(ParameterIn::Query));
        self
    }

    /// Is sent JSON of this form.
    #[must_use]
    pub fn takes<T: ToSchema>(mut self) -> Self {
        self.body = Some(Shape::of::<T>());
        self
    }

    /// Is sent a picture: PNG, JPEG or SVG.
    #[must_use]
    pub fn takes_image(mut self) -> Self {
        self.files = &super::IMAGES;
        self
    }

    /// Is sent a drawing: SVG.
    #[must_use]
    pub fn takes_drawing(mut self) -> Self {
        self.files = &["image/svg+xml"];
        self
    }

    /// Is sent a file of a program for tables: CSV, ODS or XLSX.
    #[must_use]
    pub fn takes_table(mut self) -> Self {
        self.files = &super::TABLES;
        self
    }

    /// Changes nothing, whatever its method: a token that only reads will do.
    #[must_use]
    pub fn reading(mut self) -> Self {
        self.scope = Some(Scope::Read);
        self
    }
}

/// A body with an example of each of its fields that must be there.
pub fn example(shape: &Shape) -> String {
    let schemas: std::collections::BTreeMap<String, RefOr<Schema>> = shape.schemas().into_iter().collect();
    let Some(RefOr::T(Schema::Object(object))) = schemas.get(&shape.name) else {
        return "{}".to_owned();
    };
    let mut fields = serde_json::Map::new();
    for name in &object.required {
        let value = match object.properties.get(name) {
            Some(RefOr::T(Schema::Object(field))) => sample(field),
            Some(RefOr::T(Schema::Array(_))) => serde_json::json!([1]),
            _ => serde_json::Value::Null,
        };
        fields.insert(name.clone(), value);
    }
    serde_json::Value::Object(fields).to_string()
}

fn sample(field: &utoipa::openapi::schema::Object) -> serde_json::Value {
    use utoipa::openapi::schema::{SchemaType, Type};
    if let Some(example) = field.examples.first().or(field.example.as_ref()) {
        return example.clone();
    }
    match field.schema_type {
        SchemaType::Type(Type::Integer) => serde_json::json!(1),
        SchemaType::Type(Type::Boolean) => serde_json::json!(true),
        SchemaType::Type(Type::Object) => serde_json::json!({}),
        _ => serde_json::json!("…"),
    }
}
