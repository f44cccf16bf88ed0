# Everything a person needs: `make demo` shows the main job, `make test` passes the tests.

CARGO ?= cargo
K6 ?= k6
ARTILLERY ?= node_modules/artillery/bin/run
PROFILE := suite
# The features that tests switch on in dependencies are on in each of these, so that nothing is compiled twice.
BUILD = $(CARGO) build --profile $(PROFILE) --features loadline-cli/as-tested --bin loadline
TESTKIT = $(CARGO) run --profile $(PROFILE) --features loadline-cli/as-tested --bin
TEST = $(CARGO) test --workspace --features loadline-cli/fault-injection --profile $(PROFILE) --no-fail-fast
# A build before this one, for updates from one to the other.
PREVIOUS :=

.PHONY: help tune-bench capacity-bench web web-check pages pictures ui-costs demo test idle-checks format lint fast group actions advisories licences licences-check unit model lab-test lab-explain lab-strangers bench dist dist-check deb deb-check image release sanitize fuzz-check fuzz-short fuzz-long flat sockets record-k6 compare-k6 record-artillery record-artillery-packages compare-artillery compare-artillery-packages record-proofs sizes tools packages gate-faults gate-faults-long gate-speed gate-beside gate-arrow gate-pages gate-verify gate-manifests gate-sdk gate-api gate-image cluster-check

# The first target: `make` alone shows what there is.
## help: this list
help:
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^## \([a-z0-9-]*\): \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-28s %s\n", $$1, $$2 }'

## demo: build everything (quickly; measure with a release build), then the whole loop on the built-in target: plan, run, explain, fix, capacity, tune, gate
demo:
	$(BUILD)
	./tools/demo.sh target/$(PROFILE)/loadline

## test: formatting and sizes, then every test; lints and the model check while tests wait
test: format packages
	$(TEST) --no-run
	$(MAKE) --no-print-directory --jobs 2 idle-checks unit

# Tests wait most of the time, for runs of seconds: lints and the model check take the time that tests leave.
idle-checks:
	nice -n 19 $(MAKE) --no-print-directory lint
	nice -n 19 $(MAKE) --no-print-directory fuzz-check
	nice -n 19 $(MAKE) --no-print-directory model

format:
	$(CARGO) fmt --all --check
	./tools/sizes.sh

## lint: clippy and cargo-deny
lint: tools
	$(CARGO) clippy --workspace --all-targets --profile $(PROFILE) --quiet -- -D warnings
	$(CARGO) fetch --locked --quiet
	$(CARGO) deny --offline --exclude-dev check bans licenses sources

## advisories: check the dependencies against the advisory database (fetches it; without a network, the copy at hand)
advisories: tools
	$(CARGO) deny check advisories || $(CARGO) deny --offline check advisories

## licences-check: see that they are as the packages have them
licences-check: licences
	git diff --exit-code THIRD-PARTY-LICENSES.txt

## licences: write THIRD-PARTY-LICENSES.txt anew, after a change of dependencies
licences:
	python3 tools/licences.py

# Property tests draw the same cases every time here; `make fuzz-long` looks further. More tests at a time than there are
# cores, since most of them wait.
unit: packages
unit: export PROPTEST_RNG_SEED = 20261121
unit: export RUST_TEST_THREADS = 8
unit:
	$(TEST)

## fast: the first answer after a change: unit and library tests, no runs from end to end (needs python3)
fast: export PROPTEST_RNG_SEED = 20261121
fast:
	CARGO="$(CARGO)" ./tools/fast.py

## group: the tests of some folders of crates: make group GROUP="values users"; one crate: cargo test -p loadline-NAME --profile suite
group: packages
group: export PROPTEST_RNG_SEED = 20261121
group: export RUST_TEST_THREADS = 8
group:
	@test -n "$(GROUP)" || { echo 'make group GROUP="folders of crates/"'; exit 1; }
	$(CARGO) test --profile $(PROFILE) --no-fail-fast $(foreach folder,$(GROUP),$(patsubst crates/$(folder)/%/Cargo.toml,-p loadline-%,$(wildcard crates/$(folder)/*/Cargo.toml))) \
	  $(if $(filter products,$(GROUP)),--features loadline-cli/fault-injection)

## actions: check the workflows: actionlint, each step is a target or a script that is here, the forms are YAML (needs go and python3)
ACTIONLINT = target/tools/actionlint
$(ACTIONLINT):
	GOBIN=$(CURDIR)/target/tools go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
actions: $(ACTIONLINT)
	$(ACTIONLINT)
	python3 -m venv target/actions
	target/actions/bin/pip install --quiet pyyaml==6.0.3
	target/actions/bin/python tools/workflow-steps.py

## model: model-check the hand-over of starts between workers, and of their windows to the merger
model:
	$(CARGO) test --manifest-path model/Cargo.toml --target-dir target --profile suite

## lab-test: check that every truth of the labs holds on this machine, three times; nothing else should run
lab-test:
	labs/test --times 3

## lab-explain: ask explain for every truth of the labs, about a minute each (PASSES=3: three passes; PREDICT=1: also make the predicted changes and measure them); CPU-bound ones want a quiet machine
lab-explain:
	$(BUILD)
	labs/explain $(if $(PREDICT),--predict) --passes $(or $(PASSES),1); code=$$?; labs/explain --table docs/bench/explain.md; exit $$code

## lab-strangers: run the drawn real targets of labs/strangers (SEED=43), about 25 minutes, goes on where it ended; prints the table and whether its bars are met
lab-strangers:
	$(BUILD)
	python3 -m unittest discover -s labs/strangers/lib
	labs/strangers/town run --seed $(or $(SEED),43) && labs/strangers/town table --seed $(or $(SEED),43)

## bench: loadline beside wrk, oha and k6 on one local server
bench:
	$(CARGO) build --release --bin loadline
	python3 bench/bench.py --out docs/bench/latest.md

## tune-bench: how often studies of settings are right, by simulation (an hour; a call that was stopped goes on); writes docs/bench/tune.md
tune-bench:
	$(CARGO) test -p loadline-experiment --profile $(PROFILE) --test studies -- --ignored

# Searches are kept by commit; simulated load and fits are statistics over millions of values.
FAST_SEARCHES = $(foreach crate,experiment analysis metrics,--config profile.$(PROFILE).package.loadline-$(crate).opt-level=3)

## capacity-bench: how near capacity searches come to 44 known lines, 1,000 simulated searches of each (SEARCHES=100, SEED=1; an hour; a call that was stopped goes on); prints the rows of docs/bench/capacity-laws.md
capacity-bench: export KEEP ?= $(CURDIR)/target/capacity-bench/$(shell git rev-parse --short HEAD)
capacity-bench:
	$(CARGO) test -p loadline-experiment --profile $(PROFILE) $(FAST_SEARCHES) --test laws -- --ignored --nocapture table_of_laws

## record-k6: make the recorded results of k6 v2.2.0 anew (needs the real program; given v1.8.1, those of recorded-1.8)
record-k6:
	$(TESTKIT) record-k6 -- --k6 "$(K6)"

## compare-k6: run the comparison scripts under loadline and compare with the recorded results
compare-k6:
	$(BUILD)
	$(TESTKIT) compare-k6 -- --loadline target/$(PROFILE)/loadline
	$(TESTKIT) compare-k6 -- --loadline target/$(PROFILE)/loadline --former

## record-artillery: make the recorded results of Artillery 2.0.34 anew (needs the real program)
record-artillery:
	$(TESTKIT) record-artillery -- --artillery "$(ARTILLERY)"

## record-artillery-packages: the same for processors that use packages (needs npm)
record-artillery-packages:
	cd tests/artillery/packages && npm install --ignore-scripts --no-package-lock
	$(TESTKIT) record-artillery -- --artillery "$(ARTILLERY)" --set packages

## compare-artillery: run the Artillery files under loadline and compare with the recorded results
compare-artillery:
	$(BUILD)
	$(TESTKIT) compare-artillery -- --loadline target/$(PROFILE)/loadline

## compare-artillery-packages: the same for processors that use packages (needs npm and Node)
compare-artillery-packages:
	cd tests/artillery/packages && npm install --ignore-scripts --no-package-lock
	$(BUILD)
	$(TESTKIT) compare-artillery -- --loadline target/$(PROFILE)/loadline --set packages

## record-proofs: what is promised of stored runs and takes long: kills, disks, A/A pairs, sizes (about an hour)
record-proofs:
	$(CARGO) build --release --bin loadline
	python3 bench/record.py all
	python3 bench/record.py pairs --single

## web: build the web pages from web/ and keep them in crates/products/web/pages (needs Node 20 or newer)
web:
	cd web && npm ci --ignore-scripts --no-audit --no-fund && npm run check && npm run build

## web-check: build them anew and see that nothing changes
web-check: web
	git diff --exit-code crates/products/web/pages

## pages: look at the web UI and at reports in headless Chromium (needs Node and Chromium)
pages:
	$(BUILD)
	cd tools/page && npm ci --ignore-scripts --no-audit --no-fund && node ui.mjs ../../target/$(PROFILE)/loadline ../../target/pages

## pictures: make the pictures of the READMEs anew: a live page and a report (needs Node and Chromium; nothing else should run)
pictures:
	$(BUILD)
	cd tools/page && npm ci --ignore-scripts --no-audit --no-fund && node pictures.mjs ../../target/$(PROFILE)/loadline ../../docs/images

## ui-costs: what the live page costs the generator at 10,000 requests/s, and the browser (needs nginx; two free cores)
ui-costs:
	$(CARGO) build --release --bin loadline
	python3 bench/ui.py

## dist: static binaries for x86_64 and aarch64 Linux with their checksums (MACHINES=x86_64: that one)
dist:
	./tools/dist.sh $(MACHINES:%=%-unknown-linux-gnu)

## deb: Debian packages of the binaries in dist/: program, manual pages, completions, licences
deb:
	./tools/deb.sh

## deb-check: install the package in a bare Debian root; demo, run, report and serve work there (needs root, debootstrap)
deb-check:
	./tools/deb-check.sh

## image: the image of loadline from its static binary; demo, run, report and serve work in it, read-only and without root (needs root, buildah, podman, crun)
image:
	./tools/image.sh

## release: everything of RELEASE.md up to the push; pushes nothing
release:
	./tools/release.sh --dry-run

## dist-check: try them: an empty root with 1 CPU and 256 MiB (needs root), aarch64 under qemu
dist-check:
	./tools/dist-check.sh

## sanitize: AddressSanitizer over js, wire and net, Miri over metrics and wire (needs nightly)
sanitize:
	./tools/sanitize.sh

## fuzz-check: see that every fuzz target compiles, without a nightly toolchain
fuzz-check:
	[ -f fuzz/Cargo.lock ] || cp Cargo.lock fuzz/Cargo.lock
	$(CARGO) check --manifest-path fuzz/Cargo.toml --target-dir target --profile suite --bins --all-features --quiet

## fuzz-short: each fuzz target for ten seconds, about seven minutes (needs nightly)
fuzz-short:
	./tools/fuzz-long.sh short

## fuzz-long: property tests with a fresh seed (printed), then the fuzz targets, two hours at most; goes on where it ended (needs nightly)
fuzz-long:
	./tools/fuzz-long.sh

## sockets: 2,000 users on WebSockets and gRPC streams, beside k6
sockets:
	$(CARGO) build --release --bin loadline --bin testkit-server
	python3 bench/sockets.py

## flat: memory of a run of two million requests, over HTTP and HTTPS (needs nginx)
flat:
	$(CARGO) build --release --bin loadline
	python3 bench/flat.py

# As root: other programs then do not keep visitors from being there when their turn comes.
REALTIME = $(shell chrt -f 10 true 2>/dev/null && echo chrt -f 10)
GATE_PARTS = --loadline target/$(1)/loadline --crowd target/$(1)/examples/crowd --check target/$(1)/examples/check

## gate-faults: the waiting room's fault lists in their short form, about four minutes (needs redis-server and cc)
gate-faults:
	$(BUILD) --example crowd --example check
	python3 bench/gate/faults.py --short $(call GATE_PARTS,$(PROFILE))

## gate-faults-long: the whole list, 1,000 kills on each store, about twenty minutes; as root it judges times too; PREVIOUS names the build before
gate-faults-long:
	$(CARGO) build --release --bin loadline
	$(CARGO) build --release -p loadline-gate --examples
	$(REALTIME) python3 bench/gate/faults.py $(call GATE_PARTS,release) \
	  $(if $(PREVIOUS),--previous $(PREVIOUS))

## gate-speed: the waiting room's speed and size beside a bare server (needs redis-server and a quiet machine)
gate-speed:
	$(CARGO) build --release --bin loadline
	$(CARGO) build --release -p loadline-gate --examples
	python3 bench/gate/speed.py --loadline target/release/loadline --crowd target/release/examples/crowd

## gate-beside: this build and the one that PREVIOUS names (a release build) in turns, and the ratio of their speeds (needs redis-server and a quiet machine)
gate-beside:
	@test -n "$(PREVIOUS)" || { echo "make gate-beside PREVIOUS=path/to/a/release/build/of/loadline"; exit 1; }
	$(CARGO) build --release --bin loadline
	$(CARGO) build --release -p loadline-gate --examples
	python3 bench/gate/beside.py --old $(PREVIOUS) --new target/release/loadline --crowd target/release/examples/crowd

## gate-arrow: capacity found, imported, and held to by the waiting room (needs a quiet machine)
gate-arrow:
	$(CARGO) build --release --bin loadline
	python3 examples/gate/arrow.py target/release/loadline

## gate-pages: the waiting room's pages, the way in through nginx and Caddy, and an app of another origin, in headless Chromium (needs node; apt installs the rest)
gate-pages:
	./tools/packages.sh chromium nginx caddy
	$(BUILD)
	cd tools/page && npm ci --ignore-scripts --silent && node check.mjs ../../target/$(PROFILE)/loadline ../../target/pages \
	  && node proxy.mjs ../../target/$(PROFILE)/loadline ../../target/pages && node app.mjs ../../target/$(PROFILE)/loadline

## gate-verify: services that check the waiting room's tokens: Node, nginx, Spring Boot (needs node, nginx, mvn)
gate-verify:
	$(BUILD)
	python3 examples/gate/verify/check.py target/$(PROFILE)/loadline

## gate-manifests: the chart linted, and what it makes against Kubernetes' schemas (needs go and python3)
HELM = target/tools/helm
$(HELM):
	GOBIN=$(CURDIR)/target/tools go install helm.sh/helm/v3/cmd/helm@v3.17.3
gate-manifests: $(HELM)
	python3 -m venv target/manifests
	target/manifests/bin/pip install --quiet kubernetes-validate==1.37.0
	HELM=$(HELM) VALIDATE=target/manifests/bin/kubernetes-validate ./tools/gate-chart.sh

## cluster-check: the gate's chart on a real Kubernetes API server, and two builds in turns under load; PREVIOUS names the build before (needs root, go, redis-server)
cluster-check:
	tools/cluster.sh target/cluster
	$(BUILD) --example crowd --example check
	$(REALTIME) python3 bench/gate/cluster.py --bin target/cluster/bin --previous $(or $(PREVIOUS),target/$(PROFILE)/loadline) $(call GATE_PARTS,$(PROFILE))

## gate-image: the gate's image built from its static binary (make dist), run read-only with 256 MiB, and registrations against it (needs root, buildah, podman, crun)
gate-image:
	tools/gate-image.sh

## gate-sdk: what services and pages use, against a gate (needs node, mvn and java)
gate-sdk:
	$(BUILD)
	python3 sdk/gate/check.py target/$(PROFILE)/loadline

## gate-api: the gate against its own description, with calls that schemathesis makes up and a generated client (about a minute; needs python3)
gate-api:
	$(BUILD)
	python3 -m venv target/api
	target/api/bin/pip install --quiet schemathesis==4.32.5 openapi-python-client==0.29.1
	target/api/bin/python bench/gate/client.py target/$(PROFILE)/loadline
	target/api/bin/python bench/gate/api.py target/$(PROFILE)/loadline

## sizes: files that have grown beyond their one reason to change
sizes:
	./tools/sizes.sh

packages:
	./tools/packages.sh

tools:
	@command -v cargo-deny >/dev/null || $(CARGO) install cargo-deny --debug --locked --quiet --version 0.20.2
