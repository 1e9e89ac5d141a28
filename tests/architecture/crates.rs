//! The files of a crate and their imports.

use super::source::{Import, Mention, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module: the names from the root of the crate down.
type Module = Vec<String>;

/// The files of a crate, by their paths below `src`.
pub struct Crate {
    pub files: BTreeMap<String, Source>,
    /// The file that contains a module.
    modules: BTreeMap<Module, String>,
}

impl Crate {
    /// Reads all files below this folder, except those that exist only for
    /// tests.
    pub fn read(src: &Path) -> Crate {
        let mut files = BTreeMap::new();
        read_folder(src, "", &mut files);
        let mut tests = BTreeSet::new();
        for (file, source) in &files {
            for name in &source.test_modules {
                let module = [module_of(file), vec![name.clone()]].concat();
                tests.extend(
                    files
                        .keys()
                        .filter(|f| module_of(f).starts_with(&module))
                        .cloned(),
                );
            }
        }
        files.retain(|file, _| !tests.contains(file));
        Crate::new(files)
    }

    fn new(files: BTreeMap<String, Source>) -> Crate {
        let modules = files.keys().map(|f| (module_of(f), f.clone())).collect();
        Crate { files, modules }
    }

    /// The files that a file imports from, each with the first line that does
    /// so. The root of the crate only re-exports what is below it.
    pub fn imports(&self, file: &str) -> BTreeMap<String, usize> {
        let mut found = BTreeMap::new();
        if file == "lib.rs" {
            return found;
        }
        let here = module_of(file);
        let source = &self.files[file];
        let imported = source.imports.iter().map(|import| &import.mention);
        for mention in imported.chain(&source.mentions) {
            if let Some(other) = self.resolve(&here, mention, 0)
                && other != file
            {
                found.entry(other.to_string()).or_insert(mention.line);
            }
        }
        found
    }

    /// The file that defines what a path in `here` names; `None`: it is outside
    /// this crate or in the same file. `steps`: steps taken so far.
    fn resolve(&self, here: &Module, mention: &Mention, steps: usize) -> Option<&str> {
        // Circular names are not for this test to report.
        if steps > 20 {
            return None;
        }
        let path = &mention.path;
        let supers = path.iter().take_while(|p| *p == "super").count();
        let (mut module, rest): (Module, &[String]) = match path.first()?.as_str() {
            "crate" | "internals" | "quintet" => (Module::new(), &path[1..]),
            "self" => (here.clone(), &path[1..]),
            "super" => {
                let up = supers.checked_sub(mention.inside)?;
                (
                    here[..here.len().checked_sub(up)?].to_vec(),
                    &path[supers..],
                )
            }
            first if self.has_child(here, first) => (here.clone(), &path[..]),
            first => {
                // A name that a `use` of this file has imported, if it is a
                // module; for anything else the `use` has been counted already.
                let source = &self.files[&self.modules[here]];
                let import = source.imports.iter().find(|i| i.name == first)?;
                if path.len() < 2 || import.mention.path == *path {
                    return None;
                }
                let mut longer = import.mention.clone();
                longer.path.extend_from_slice(&path[1..]);
                return self.resolve(here, &longer, steps + 1);
            }
        };
        let mut rest = rest;
        while let Some((name, below)) = rest.split_first()
            && (self.has_child(&module, name) || name == "internals")
        {
            if name != "internals" {
                module.push(name.clone());
            }
            rest = below;
        }
        let file = self.modules.get(&module)?;
        match rest.first() {
            Some(name) if !self.files[file].items.contains(name) => {
                Some(self.handed_on(&module, name, steps).unwrap_or(file))
            }
            _ => Some(file),
        }
    }

    /// The file that defines a name that `module` imports by a `use` of its
    /// own.
    fn handed_on(&self, module: &Module, name: &str, steps: usize) -> Option<&str> {
        let source = &self.files[&self.modules[module]];
        let named = |import: &&Import| import.name == name;
        if let Some(import) = source.imports.iter().find(named) {
            return self.resolve(module, &import.mention, steps + 1);
        }
        let all = source.imports.iter().filter(|i| i.name == "*");
        all.filter_map(|import| self.resolve(module, &import.mention, steps + 1))
            .find(|file| self.files[*file].items.contains(name))
    }

    fn has_child(&self, module: &Module, name: &str) -> bool {
        let mut child = module.clone();
        child.push(name.to_string());
        self.modules.contains_key(&child)
    }

    /// Sets of files each of which imports from itself by way of others.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let edges: BTreeMap<&str, Vec<String>> = (self.files.keys())
            .map(|f| (f.as_str(), self.imports(f).into_keys().collect()))
            .collect();
        let reach = |from: &str| {
            let mut seen = BTreeSet::new();
            let mut open = vec![from.to_string()];
            while let Some(file) = open.pop() {
                for next in &edges[file.as_str()] {
                    if seen.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            seen
        };
        let reached: BTreeMap<&str, BTreeSet<String>> =
            edges.keys().map(|&file| (file, reach(file))).collect();
        let mut circles = BTreeSet::new();
        for (&file, found) in &reached {
            if found.contains(file) {
                let returns = |other: &&String| reached[other.as_str()].contains(file);
                circles.insert(found.iter().filter(returns).cloned().collect());
            }
        }
        circles.into_iter().collect()
    }
}

/// `search/mod.rs` -> `search`, `search/table.rs` -> `search::table`.
fn module_of(file: &str) -> Module {
    let path = file.trim_end_matches(".rs");
    let names = path.split('/').filter(|n| !["mod", "lib"].contains(n));
    names.map(String::from).collect()
}

fn read_folder(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Source>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            read_folder(&path, &format!("{name}/"), files);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a text");
            files.insert(name, Source::read(&text));
        }
    }
}

#[test]
fn imports_are_found_whatever_way_they_are_written() {
    let files = [
        ("lib.rs", "pub(crate) use internals::*;"),
        ("a/mod.rs", "mod b; mod c; pub use b::B; pub fn f() {}"),
        (
            "a/b.rs",
            "use super::c::C as D; pub struct B; fn g() { D::new(); }",
        ),
        (
            "a/c.rs",
            "pub struct C; fn g() { crate::d::h(); std::mem::take(x); }",
        ),
        (
            "d.rs",
            "use crate::{a, e as f}; fn h() { a::B::new(); a::f(); f::i(); }",
        ),
        (
            "e.rs",
            "pub fn i() { mod m { fn j() { super::i() } } } use log::info;",
        ),
    ];
    let files = files.map(|(name, text)| (name.to_string(), Source::read(text)));
    let it = Crate::new(files.into_iter().collect());
    let found = |file| it.imports(file).into_keys().collect::<Vec<_>>();
    assert_eq!(found("a/mod.rs"), ["a/b.rs"]);
    assert_eq!(found("a/b.rs"), ["a/c.rs"]);
    assert_eq!(found("a/c.rs"), ["d.rs"]);
    assert_eq!(found("d.rs"), ["a/b.rs", "a/mod.rs", "e.rs"]);
    assert_eq!(found("e.rs"), Vec::<String>::new());
    assert_eq!(it.circles(), [["a/b.rs", "a/c.rs", "a/mod.rs", "d.rs"]]);
}
