# Included by the Makefile. K6 is the path of k6 v1.8.1 (go install go.k6.io/k6@v1.8.1).
K6 ?= k6
K6_SOURCE ?= $(shell go list -m -f '{{.Dir}}' go.k6.io/k6@v1.8.1 2>/dev/null)
LOADLINE ?= target/release/loadline

.PHONY: record-k6 compare-k6
record-k6: ## record anew what k6 does with tests/k6/scripts
	cargo run -q -p loadline-testkit --bin record-k6 -- --k6 $(K6) --summary-source $(K6_SOURCE)/internal/js/summary-legacy.js

compare-k6: ## compare $(LOADLINE) with what k6 did
	cargo run -q -p loadline-testkit --bin compare-k6 -- --loadline $(LOADLINE)
