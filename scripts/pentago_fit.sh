#!/bin/sh
# Fits Pentago's evaluation: pentago_fit.sh SECONDS EPOCHS [SEED]. See README.md.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?seconds of data of each kind}
epochs=${2:?epochs of the fit}
seed=${3:-1}
data=${PENTAGO_DATA:-target/pentago-data}
mkdir -p "$data"
cargo build --release --example pentago_fit
fit=${CARGO_TARGET_DIR:-target}/release/examples/pentago_fit
"$fit" generate "$data/solved.bin" "$seconds" "$seed" 0
"$fit" generate "$data/searched.bin" "$seconds" "$seed" 2000
"$fit" fit src/games/pentago/weights.bin "$epochs" "$data/solved.bin" "$data/searched.bin"
