//! The schema that the database reports.

/// Tables with their columns and keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatabaseSchema {
    /// In any order.
    pub tables: Vec<Table>,
}

/// A table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns, in order; generated ones are left out.
    pub columns: Vec<Column>,
    /// Primary and unique keys: columns of each.
    pub unique: Vec<Vec<String>>,
    /// Foreign keys.
    pub foreign: Vec<ForeignKey>,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// Whether it may be null.
    pub nullable: bool,
    /// Whether the database fills it if no value is given.
    pub has_default: bool,
    /// Whether its numbers come from a sequence.
    pub is_serial: bool,
}

/// The kind of a column's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnKind {
    /// Whole numbers up to this one.
    Int(i64),
    /// Decimal numbers: digits before and after the point.
    Decimal(u32, u32),
    /// Floating-point numbers.
    Float,
    /// Text up to this number of characters.
    Text(u32),
    /// True or false.
    Bool,
    /// A day.
    Date,
    /// A moment.
    Timestamp,
    /// A time of day.
    Time,
    /// A UUID.
    Uuid,
    /// JSON.
    Json,
    /// Bytes.
    Bytes,
    /// One of these texts.
    Enum(Vec<String>),
    /// An unsupported type.
    Unknown(String),
}

/// A foreign key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignKey {
    /// Its columns.
    pub columns: Vec<String>,
    /// The table it refers to.
    pub parent: String,
    /// The columns it refers to, in the same order.
    pub parent_columns: Vec<String>,
}

impl DatabaseSchema {
    /// A table by its name.
    #[must_use]
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}

impl Table {
    /// A column by its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The foreign key of a column, and its position in it.
    pub(crate) fn foreign_of(&self, column: &str) -> Option<(usize, usize)> {
        let mut each = self.foreign.iter().enumerate();
        each.find_map(|(index, key)| {
            let place = key.columns.iter().position(|name| name == column)?;
            Some((index, place))
        })
    }
}
