#!/usr/bin/env bash
# Builds what is handed out: for each target an archive with the dist binary, its page for man,
# completions, licences and the protocol, and the checksums of all of them.
#
#   scripts/release.sh [FOLDER]      (default: target/release-files of this tree)
#
# Archives of other versions in the folder stay, and their checksums are written, too.
# Targets besides this machine's are built where both their standard library and a linker are there;
# what is left out is told.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/target/release-files}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$root"

version=$(cargo metadata --no-deps --format-version 1 |
  grep -o '"name":"quintet","version":"[^"]*"' | cut -d'"' -f8)
host=$(rustc -vV | sed -n 's/^host: //p')

# The linker that a target needs, as far as it is not this machine's own.
linker_of() {
  case $1 in
    aarch64-unknown-linux-gnu) echo aarch64-linux-gnu-gcc ;;
    i686-unknown-linux-gnu) echo i686-linux-gnu-gcc ;;
    x86_64-pc-windows-gnu) echo x86_64-w64-mingw32-gcc ;;
  esac
}

# One archive: binary, documents, licences.
pack() {
  local target=$1 binary=$2 name=quintet-$version-$1
  local place=$work/$name
  mkdir -p "$place/completions"
  cp "$binary" LICENSE-MIT LICENSE-APACHE "$place"
  cp protocol/README.md "$place/PROTOCOL.md"
  "$native" --man > "$place/quintet.1"
  "$native" --completions bash > "$place/completions/quintet.bash"
  "$native" --completions fish > "$place/completions/quintet.fish"
  # zsh finds it by this name in a folder of its fpath.
  "$native" --completions zsh > "$place/completions/_quintet"
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" \
    -czf "$folder/$name.tar.gz" "$name"
  echo "$folder/$name.tar.gz"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --profile dist --locked
for archive in "$folder/quintet-$version"-*.tar.gz; do
  # Behind the same numbers there may be a target or another version: 1.0.0-rc.1 is not 1.0.0.
  case ${archive##*/"quintet-$version-"} in
    *.*.tar.gz | alpha* | beta* | pre* | rc*) ;;
    *) rm -f "$archive" ;;
  esac
done
rm -f "$folder/SHA256SUMS"
native=${CARGO_TARGET_DIR:-target}/dist/quintet
pack "$host" "$native"
for target in aarch64-unknown-linux-gnu i686-unknown-linux-gnu x86_64-pc-windows-gnu; do
  linker=$(linker_of "$target")
  if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$target" ]; then
    echo "SKIPPED $target: rustup target add $target" >&2
  elif ! command -v "$linker" > /dev/null; then
    echo "SKIPPED $target: there is no $linker" >&2
  else
    variable=CARGO_TARGET_$(echo "$target" | tr 'a-z-' 'A-Z_')_LINKER
    env "$variable=$linker" cargo build --profile dist --locked --target "$target"
    suffix=
    [[ $target == *windows* ]] && suffix=.exe
    pack "$target" "${CARGO_TARGET_DIR:-target}/$target/dist/quintet$suffix"
  fi
done
(cd "$folder" && sha256sum quintet-*.tar.gz > SHA256SUMS && cat SHA256SUMS)
