//! A parsed expression, node by node.

#[derive(Debug, Clone)]
pub(crate) enum FiltrexNode {
    Number(f64),
    Text(String),
    /// A name, which may contain dots.
    Symbol(String),
    /// `name of value`
    Of(String, Box<FiltrexNode>),
    Call(String, Vec<FiltrexNode>),
    Array(Vec<FiltrexNode>),
    Negative(Box<FiltrexNode>),
    Not(Box<FiltrexNode>),
    Binary(Operator, Box<FiltrexNode>, Box<FiltrexNode>),
    In(Box<FiltrexNode>, Box<FiltrexNode>, bool),
    Choice(Box<FiltrexNode>, Box<FiltrexNode>, Box<FiltrexNode>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    Matches,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
}
