# Everything a person needs: `make demo` shows the main job, `make test` passes the tests.

CARGO ?= cargo
K6 ?= k6
ARTILLERY ?= node_modules/artillery/bin/run
PROFILE := suite

.PHONY: demo test format lint unit model lab-test bench dist dist-check sanitize flat record-k6 compare-k6 record-artillery compare-artillery record-proofs sizes tools

## demo: build everything, start the built-in target, run the examples against it
demo:
	$(CARGO) build --release --bin loadline
	./tools/demo.sh target/release/loadline

## test: formatting, sizes and lints, then every test
test: format lint unit model

format:
	$(CARGO) fmt --all --check
	./tools/sizes.sh

## lint: clippy and cargo-deny
lint: tools
	$(CARGO) clippy --workspace --all-targets --profile $(PROFILE) --quiet -- -D warnings
	$(CARGO) fetch --locked --quiet
	$(CARGO) deny --offline --exclude-dev check bans licenses sources

# Property tests draw the same cases every time here; run them without the seed to look further.
unit: export PROPTEST_RNG_SEED = 20261121
unit:
	$(CARGO) test --workspace --features loadline-cli/fault-injection --profile $(PROFILE) --no-fail-fast

## model: model-check the hand-over of starts between workers
model:
	$(CARGO) test -p loadline-engine --features shuttle --profile $(PROFILE) --test handover

## lab-test: check that every truth of the labs holds on this machine, three times; nothing else should run
lab-test:
	labs/test --times 3

## bench: loadline beside wrk, oha and k6 on one local server
bench:
	$(CARGO) build --release --bin loadline
	python3 bench/bench.py --out docs/bench/latest.md

## record-k6: make the recorded results of k6 v1.8.1 anew (needs the real program)
record-k6:
	$(CARGO) run --profile $(PROFILE) -p loadline-testkit --bin record-k6 -- --k6 "$(K6)"

## compare-k6: run the comparison scripts under loadline and compare with the recorded results
compare-k6:
	$(CARGO) build --profile $(PROFILE) --bin loadline
	$(CARGO) run --profile $(PROFILE) -p loadline-testkit --bin compare-k6 -- --loadline target/$(PROFILE)/loadline

## record-artillery: make the recorded results of Artillery 2.0.34 anew (needs the real program)
record-artillery:
	$(CARGO) run --profile $(PROFILE) -p loadline-testkit --bin record-artillery -- --artillery "$(ARTILLERY)"

## compare-artillery: run the Artillery files under loadline and compare with the recorded results
compare-artillery:
	$(CARGO) build --profile $(PROFILE) --bin loadline
	$(CARGO) run --profile $(PROFILE) -p loadline-testkit --bin compare-artillery -- --loadline target/$(PROFILE)/loadline

## record-proofs: what is promised of stored runs and takes long: kills, disks, A/A pairs, sizes (about an hour)
record-proofs:
	$(CARGO) build --release --bin loadline
	python3 bench/record.py all
	python3 bench/record.py pairs --single

## dist: static binaries for x86_64 and aarch64 Linux with their checksums
dist:
	./tools/dist.sh

## dist-check: try them: an empty root with 1 CPU and 256 MiB (needs root), aarch64 under qemu
dist-check:
	./tools/dist-check.sh

## sanitize: AddressSanitizer over js, wire and net, Miri over metrics and wire (needs nightly)
sanitize:
	./tools/sanitize.sh

## flat: memory of a run of two million requests, over HTTP and HTTPS (needs nginx)
flat:
	$(CARGO) build --release --bin loadline
	python3 bench/flat.py

## sizes: files that have grown beyond their one reason to change
sizes:
	./tools/sizes.sh

tools:
	@command -v cargo-deny >/dev/null || $(CARGO) install cargo-deny --locked --quiet --version 0.20.2
