//! Descriptors: messages and methods.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use prost::Message;
use prost_reflect::prost_types::{FileDescriptorProto, FileDescriptorSet};
use prost_reflect::{DescriptorPool, MessageDescriptor, MethodDescriptor};
use protox::Compiler;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};

/// Why there is no schema, as scripts see it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(String);

/// A consistent set of descriptor files.
#[derive(Debug, Clone)]
pub struct ProtoSchema(DescriptorPool);

/// A method of a service.
#[derive(Debug, Clone)]
pub struct Method {
    descriptor: MethodDescriptor,
    path: String,
}

/// Reads sources by the names in imports.
struct Sources<R> {
    read: R,
    failed: Failures,
}

/// The errors of names that could not be read.
type Failures = Arc<Mutex<BTreeMap<String, String>>>;

impl<R> FileResolver for Sources<R>
where
    R: Fn(&str) -> Result<String, String> + Send + Sync + 'static,
{
    /// A name is taken as it is; there is no look-up on disk.
    fn resolve_path(&self, path: &Path) -> Option<String> {
        path.to_str().map(str::to_owned)
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match (self.read)(name) {
            Ok(source) => Ok(File::from_source(name, &source)?),
            Err(reason) => {
                // It may still be one of the standard files.
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.insert(name.to_owned(), reason);
                Err(protox::Error::file_not_found(name))
            }
        }
    }
}

impl ProtoSchema {
    /// Compiles the sources `names` and everything they import. `read` returns the source for a
    /// name, or the error. Google's own files need not be provided.
    ///
    /// # Errors
    /// [`SchemaError`] with the position, or with the error of `read`.
    pub fn compile(
        names: &[String],
        read: impl Fn(&str) -> Result<String, String> + Send + Sync + 'static,
    ) -> Result<Self, SchemaError> {
        let failed = Failures::default();
        let mut resolver = ChainFileResolver::new();
        resolver.add(Sources {
            read,
            failed: failed.clone(),
        });
        resolver.add(GoogleFileResolver::new());
        let mut compiler = Compiler::with_file_resolver(resolver);
        compiler.include_imports(true);
        for name in names {
            compiler
                .open_file(name)
                .map_err(|error| schema_error(&error, &failed))?;
        }
        let set = compiler.encode_file_descriptor_set();
        Self::from_set(&set)
    }

    /// Reads a serialised `FileDescriptorSet`.
    ///
    /// # Errors
    /// [`SchemaError`]: it is malformed, or its files are inconsistent.
    pub fn from_set(bytes: &[u8]) -> Result<Self, SchemaError> {
        let set = FileDescriptorSet::decode(bytes)
            .map_err(|_| SchemaError("proto: cannot parse invalid wire-format data".to_owned()))?;
        Self::from_descriptors(set.file)
    }

    /// Reads serialised `FileDescriptorProto`s, in any order.
    ///
    /// # Errors
    /// [`SchemaError`], as [`from_set`](Self::from_set).
    pub fn from_files<'f>(files: impl IntoIterator<Item = &'f [u8]>) -> Result<Self, SchemaError> {
        let files: Result<Vec<_>, _> = files.into_iter().map(FileDescriptorProto::decode).collect();
        let files = files.map_err(|error| SchemaError(format!("proto: {error}")))?;
        Self::from_descriptors(files)
    }

    fn from_descriptors(files: Vec<FileDescriptorProto>) -> Result<Self, SchemaError> {
        let mut pool = DescriptorPool::new();
        pool.add_file_descriptor_protos(files)
            .map_err(|error| SchemaError(format!("proto: {error}")))?;
        Ok(Self(pool))
    }

    /// The file's name and its imports, from a serialised descriptor.
    ///
    /// # Errors
    /// [`SchemaError`]: it is not a `FileDescriptorProto`.
    pub fn imports_of(bytes: &[u8]) -> Result<(String, Vec<String>), SchemaError> {
        let file = FileDescriptorProto::decode(bytes)
            .map_err(|error| SchemaError(format!("proto: {error}")))?;
        Ok((file.name().to_owned(), file.dependency))
    }

    /// The serialised descriptor of one of Google's own files.
    #[must_use]
    pub fn standard_file(name: &str) -> Option<Vec<u8>> {
        let file = GoogleFileResolver::new().open_file(name).ok()?;
        Some(file.file_descriptor_proto().encode_to_vec())
    }

    /// All methods of all services.
    pub fn methods(&self) -> impl Iterator<Item = Method> {
        self.0.services().flat_map(|service| {
            let methods: Vec<_> = service.methods().map(Method::new).collect();
            methods
        })
    }

    /// A message by its full name.
    #[must_use]
    pub fn message(&self, name: &str) -> Option<MessageDescriptor> {
        self.0.get_message_by_name(name)
    }
}

/// An error with its position, if it has one.
fn schema_error(error: &protox::Error, failed: &Failures) -> SchemaError {
    // Only the debug text has line and column.
    let text = format!("{error:?}");
    let text = text.trim_matches('"');
    let failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
    let missing = text.split('\'').nth(1).and_then(|name| failed.get(name));
    let Some(reason) = missing.filter(|_| error.is_file_not_found()) else {
        return SchemaError(text.to_owned());
    };
    match import_place(text) {
        Some(place) => SchemaError(format!("{place}: {reason}")),
        None => SchemaError(reason.clone()),
    }
}

/// The position `file:line:column` of the name in `file:line:column: import 'name' not found`,
/// whose column is that of the statement.
fn import_place(text: &str) -> Option<String> {
    let (place, _) = text.split_once(": import '")?;
    let (line, column) = place.rsplit_once(':')?;
    let column: usize = column.parse().ok()?;
    Some(format!("{line}:{}", column + "import ".len()))
}

impl Method {
    fn new(descriptor: MethodDescriptor) -> Self {
        let service = descriptor.parent_service();
        let path = format!("/{}/{}", service.full_name(), descriptor.name());
        Self { descriptor, path }
    }

    /// `/package.Service/Method`
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// `Method`
    #[must_use]
    pub fn name(&self) -> &str {
        self.descriptor.name()
    }

    /// `Service`
    #[must_use]
    pub fn service(&self) -> &str {
        self.descriptor.parent_service().name()
    }

    /// `package`
    #[must_use]
    pub fn package(&self) -> String {
        let service = self.descriptor.parent_service();
        service.package_name().to_owned()
    }

    /// Whether the client may send more than one message.
    #[must_use]
    pub fn client_streams(&self) -> bool {
        self.descriptor.is_client_streaming()
    }

    /// Whether the server may send more than one message.
    #[must_use]
    pub fn server_streams(&self) -> bool {
        self.descriptor.is_server_streaming()
    }

    /// The type of requests.
    #[must_use]
    pub fn input(&self) -> MessageDescriptor {
        self.descriptor.input()
    }

    /// The type of responses.
    #[must_use]
    pub fn output(&self) -> MessageDescriptor {
        self.descriptor.output()
    }
}

/// The types allowed in an `Any`: those of all loaded schemas, earlier ones first.
#[derive(Debug, Clone, Default)]
pub struct Types(Vec<ProtoSchema>);

impl Types {
    /// Adds the types of `schema`.
    pub fn add(&mut self, schema: ProtoSchema) {
        self.0.push(schema);
    }

    /// The message for a type URL: its name follows the last slash.
    pub(crate) fn by_url(&self, url: &str) -> Option<MessageDescriptor> {
        let name = url.rsplit('/').next().unwrap_or(url);
        self.0.iter().find_map(|schema| schema.message(name))
    }
}
