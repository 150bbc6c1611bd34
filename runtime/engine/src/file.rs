//! Files, and the programs in them.

use crate::frontend::{Recognised, recognise};
use crate::load::{LoadOptions, Resolved, inner_name, not_read, resolve};
use crate::problem::{invalid, unsupported};
use parallax_container::{Content, Fact, Fault, Node, expand, open};
use parallax_text::{Diag, Severity};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// A file, and what lies in it.
#[derive(Clone, Debug)]
pub struct File {
    /// Name, such as a path.
    pub name: String,
    /// Bytes of the file; `bytes` may have more behind them: what [`expand`] adds.
    len: usize,
    bytes: Arc<[u8]>,
    root: Node,
    /// Places of its members by name.
    members: Arc<FxHashMap<String, Range<usize>>>,
    /// Names and bytes of the manifests that an archive holds, by name without extension.
    manifests: FxHashMap<String, (String, Range<usize>)>,
}

/// A program in a file, or what is wrong where one should be.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's name, and behind colons the names inside: `captured.a:kernels.cubin:blend`.
    pub name: String,
    /// The names inside, the innermost last; none where the file is the program itself.
    pub path: Vec<String>,
    /// Name and place of the manifest that the same archive has for it.
    manifest: Option<(String, Range<usize>)>,
    members: Arc<FxHashMap<String, Range<usize>>>,
    bytes: Arc<[u8]>,
    node: Node,
}

/// The programs of a file.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Programs, damaged ones too, in the order of the file.
    pub sources: Vec<Source>,
    /// Names of members that are none, as far as anybody knows.
    pub skipped: Vec<String>,
}

impl File {
    /// Says what lies in the bytes of a file.
    pub fn open(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> File {
        let (name, bytes) = (name.into(), bytes.into());
        let len = bytes.len();
        let bytes = expand(&bytes).map_or(bytes, Arc::from);
        let root = open(&bytes);
        let plain = root.members().iter().filter(|m| is_manifest(&m.name) && m.content == Content::Plain);
        let manifest = |m: &Node| (stem(&m.name).to_string(), (format!("{name}:{}", m.name), m.bytes.clone()));
        let manifests = plain.map(manifest).collect();
        let members = root.members().iter().map(|m| (m.name.clone(), m.bytes.clone())).collect();
        File { name, len, bytes, root, manifests, members: Arc::new(members) }
    }

    /// What lies in it.
    pub fn root(&self) -> &Node {
        &self.root
    }

    /// What a node of it says about itself.
    pub fn facts(&self, node: &Node) -> Vec<Fact> {
        node.facts(&self.bytes)
    }

    /// Number of its bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The programs in it. A file without a container is one, whatever it is: only who reads it can say what is wrong with it.
    /// Of a container without a program there is one source that says so.
    pub fn contents(&self) -> Contents {
        self.below(&[&self.root])
    }

    /// The programs of a member, named as in [`Source::name`] behind the file's name.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn member(&self, path: &str) -> Result<Contents, Diag> {
        match self.root.find(path) {
            Ok(found) => {
                let chain: Vec<&Node> = std::iter::once(&self.root).chain(found).collect();
                Ok(self.below(&chain))
            }
            Err(Fault::NoMembers) => {
                Err(invalid("engine-member", format!("no member `{path}`: the file is not a container")))
            }
            Err(Fault::Unknown(near)) => {
                let diag = invalid("engine-member", format!("it has no member `{path}`"));
                Err(match near {
                    Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                    None => diag.with_help(format!("`parallax info {}` lists its members", self.name)),
                })
            }
        }
    }

    /// The programs at and below the end of a chain of nodes from the root.
    fn below(&self, chain: &[&Node]) -> Contents {
        let mut contents = Contents::default();
        let Some(node) = chain.last() else { return contents };
        if !matches!(node.content, Content::Container { .. }) {
            contents.sources.push(self.source(chain, node.alone()));
            return contents;
        }
        let mut foreign = None;
        self.collect(&mut chain.to_vec(), &mut contents, &mut foreign);
        if contents.sources.is_empty() {
            let diag = match foreign {
                Some((name, kind)) if contents.skipped.len() == 1 => {
                    let mut diag = not_read(kind);
                    diag.message = format!("{name}: {}", diag.message);
                    diag
                }
                _ => unsupported(
                    "engine-no-program",
                    format!("none of the {} members is a program", node.members().len()),
                )
                .with_help(format!("`parallax info {}` lists them", self.name)),
            };
            let mut refused = node.alone();
            refused.diags.push(diag);
            contents.sources.push(self.source(chain, refused));
        }
        contents
    }

    /// Adds the programs below the last of a chain of nodes, a container.
    fn collect<'a>(
        &'a self,
        chain: &mut Vec<&'a Node>,
        contents: &mut Contents,
        foreign: &mut Option<(String, parallax_container::Foreign)>,
    ) {
        let Some(container) = chain.last().copied() else { return };
        // What is wrong with the container itself has a row of its own, warnings go to its first program.
        let (errors, mut warnings): (Vec<Diag>, Vec<Diag>) =
            container.diags.iter().cloned().partition(|diag| diag.severity == Severity::Error);
        if !errors.is_empty() {
            let mut refused = container.alone();
            refused.diags = errors;
            contents.sources.push(self.source(chain, refused));
        }
        for member in container.members() {
            chain.push(member);
            match &member.content {
                Content::Container { .. } => self.collect(chain, contents, foreign),
                Content::Foreign(kind) => {
                    let name = self.name_of(chain);
                    *foreign = Some((name.clone(), *kind));
                    contents.skipped.push(name);
                }
                Content::Plain if !self.is_program(member) => {
                    if !is_manifest(&member.name) {
                        contents.skipped.push(self.name_of(chain));
                    }
                }
                Content::Plain | Content::Program(_) | Content::Broken => {
                    let mut node = member.alone();
                    node.diags.append(&mut warnings);
                    contents.sources.push(self.source(chain, node));
                }
            }
            chain.pop();
        }
    }

    /// Whether bytes without a container are a program, perhaps a damaged one.
    fn is_program(&self, node: &Node) -> bool {
        let bytes = self.bytes.get(node.bytes.clone()).unwrap_or(&[]);
        matches!(recognise(&node.name, bytes), Recognised::Frontend(_) | Recognised::Program(_))
    }

    fn name_of(&self, chain: &[&Node]) -> String {
        let inside = chain.iter().skip(1).flat_map(|node| [":", &node.name]);
        std::iter::once(self.name.as_str()).chain(inside).collect()
    }

    fn source(&self, chain: &[&Node], node: Node) -> Source {
        let path = chain.iter().skip(1).map(|node| node.name.clone()).collect();
        let (manifest, members) = (self.manifest(chain), self.members.clone());
        Source { name: self.name_of(chain), path, manifest, members, bytes: self.bytes.clone(), node }
    }

    /// The manifest that an archive has for a member: of the member's name, else for all.
    fn manifest(&self, chain: &[&Node]) -> Option<(String, Range<usize>)> {
        let member = chain.get(1).filter(|_| !self.manifests.is_empty())?;
        self.manifests.get(stem(&member.name)).or_else(|| self.manifests.get("manifest")).cloned()
    }
}

impl Source {
    /// The bytes of the file it is in.
    pub(crate) fn file(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// Its bytes in the file, with what a container has around them.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.get(self.node.bytes.clone()).unwrap_or(&[])
    }

    /// The name of the member, else that of the file.
    pub fn inner_name(&self) -> &str {
        inner_name(&self.name, &self.node)
    }

    /// Name and text of the manifest that the same archive has for it.
    pub fn manifest(&self) -> Option<(&str, &[u8])> {
        let (name, place) = self.manifest.as_ref()?;
        Some((name, self.bytes.get(place.clone())?))
    }

    /// The bytes of a member of the file, beside it or not.
    pub fn member(&self, name: &str) -> Option<&[u8]> {
        self.bytes.get(self.members.get(name)?.clone())
    }

    /// What a container says is wrong with it.
    pub fn diags(&self) -> &[Diag] {
        &self.node.diags
    }

    /// Who reads it, and how.
    ///
    /// # Errors
    /// Nobody does.
    pub fn resolve<'a>(&'a self, options: &'a LoadOptions) -> Result<Resolved<'a>, Diag> {
        resolve(self.inner_name(), &self.bytes, &self.node, options)
    }
}

/// A name without its extension.
fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

fn is_manifest(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("toml"))
}

/// The only program at or below a node.
///
/// # Errors
/// There is none, or there are several.
pub(crate) fn only_program<'a>(root: &'a Node, bytes: &[u8]) -> Result<&'a Node, Diag> {
    fn leaves<'a>(node: &'a Node, out: &mut Vec<&'a Node>) {
        match &node.content {
            Content::Container { members, .. } => members.iter().for_each(|member| leaves(member, out)),
            _ => out.push(node),
        }
    }
    let mut all = Vec::new();
    leaves(root, &mut all);
    if let [only] = all[..] {
        return Ok(only);
    }
    let is_program = |node: &&&Node| match &node.content {
        Content::Plain => {
            let bytes = bytes.get(node.bytes.clone()).unwrap_or(&[]);
            matches!(recognise(&node.name, bytes), Recognised::Frontend(_) | Recognised::Program(_))
        }
        Content::Program(_) | Content::Broken => true,
        Content::Container { .. } | Content::Foreign(_) => false,
    };
    let programs: Vec<&Node> = all.iter().filter(is_program).copied().collect();
    match programs[..] {
        [only] => Ok(only),
        [] => Err(unsupported("engine-no-program", format!("none of the {} members is a program", all.len()))),
        [first, ..] => {
            let message = format!("it holds {} programs, but one is required", programs.len());
            Err(invalid("engine-several", message)
                .with_help(format!("select one with a colon, such as `:{}`", first.name)))
        }
    }
}
