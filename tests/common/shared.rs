//! Reference data beside the checkout, which is not part of this repository.
//! Tests that need it are `#[ignore]`d and called `with_shared::…`.

use std::path::{Path, PathBuf};

/// A file or folder of `shared/oracle`: beside the checkout or one level up, or
/// in the folder given by `QUINTET_SHARED`.
///
/// # Panics
/// If it does not exist.
pub fn oracle(name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = [
        std::env::var("QUINTET_SHARED").ok().map(PathBuf::from),
        Some(here.join("../shared")),
        Some(here.join("../../shared")),
    ];
    let paths = (places.into_iter().flatten()).map(|place| place.join("oracle").join(name));
    let found = paths.into_iter().find(|path| path.exists());
    found.unwrap_or_else(|| panic!("shared/oracle/{name} is missing; QUINTET_SHARED says where"))
}
