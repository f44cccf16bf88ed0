#!/usr/bin/env python3
"""Two builds of the waiting room in turns under the same generator, and the second one's share of the first one's speed.

usage: bench/gate/beside.py --old BIN --new BIN --crowd BIN [--rounds N] [--waiting N]

Each round measures joins to Redis, polls and joins on disk of both builds, the one that begins changing from round to
round. The rows give medians and the ratio of new to old: of rates, and of processor time a call, which other programs
change less. A ratio of rates below 0.9 is missed, unless the host took more than 2 % of the processors away meanwhile
(steal). Release builds, and nothing else should run.
"""
import argparse, statistics, sys

from speed import Site, figures, processor_ticks

LEAST = 0.9


def joins(site, visitors, connections):
    said, cpu = site.crowd("joins", "--visitors", visitors, "--connections", connections, "--prefix", "fill")
    return figures(said)["rate"], cpu[0] / visitors * 1e6


def polls(site, seconds):
    site.crowd("polls", "--visitors", 1000, "--connections", 64, "--seconds", 0)  # they join first
    said, cpu = site.crowd("polls", "--visitors", 1000, "--connections", 64, "--seconds", seconds)
    seen = figures(said)
    return seen["rate"], cpu[0] / seen["n"] * 1e6


def measure(args):
    """Calls a second and microseconds of the gate's processors a call, of each kind of call."""
    seen = {}
    site = Site(args, "redis")
    seen["joins, Redis"] = joins(site, args.waiting, 128)
    seen[f"polls with {args.waiting:,} waiting"] = polls(site, 10)
    site.end()
    site = Site(args, "embedded")
    seen["joins, embedded"] = joins(site, args.waiting, 1024)
    site.end()
    return seen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("old", "new", "crowd"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--waiting", type=int, default=300_000)
    args = parser.parse_args()
    builds, seen = {"old": args.old, "new": args.new}, {"old": [], "new": []}
    begin = processor_ticks()
    for number in range(args.rounds):
        for name in sorted(builds, reverse=number % 2 == 0):
            args.loadline = builds[name]
            seen[name].append(measure(args))
            told = "; ".join(f"{what} {rate:,.0f}/s {cpu:.1f} us" for what, (rate, cpu) in seen[name][-1].items())
            print(f"round {number + 1}, {name}: {told}", flush=True)
    now = processor_ticks()
    stolen = (now[1] - begin[1]) / max(1, now[0] - begin[0])
    print("| what | old | new | rate, new to old | time a call, new to old | |\n|---|---|---|---|---|---|")
    missed = []
    for what in seen["old"][0]:
        middle = lambda name, part: statistics.median(one[what][part] for one in seen[name])
        (rate, cpu), (rate2, cpu2) = [(middle(name, 0), middle(name, 1)) for name in ("old", "new")]
        met = rate2 / rate >= LEAST
        verdict = "met" if met else "**missed**" if stolen <= 0.02 else "not judged"
        missed += [] if met else [what]
        print(f"| {what} | {rate:,.0f}/s, {cpu:.1f} us | {rate2:,.0f}/s, {cpu2:.1f} us | {rate2 / rate:.2f} | {cpu2 / cpu:.2f} | {verdict} |")
    print(f"{args.rounds} rounds, {stolen:.1%} of the processors stolen")
    sys.exit(f"missed: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
