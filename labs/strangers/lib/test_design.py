"""What every draw must keep. Run: python3 -m unittest discover -s labs/strangers/lib"""

import json
import unittest

from strangers import collector, design, faults, score, truths

SEEDS = range(1, 40)


class Draws(unittest.TestCase):
    def setUp(self):
        self.all = {seed: design.draw(seed) for seed in SEEDS}

    def test_a_seed_draws_the_same_cases_again(self):
        self.assertEqual(json.dumps(design.draw(43)), json.dumps(design.draw(43)))

    def test_96_cases_of_which_40_are_healthy_and_half_of_these_have_neighbours(self):
        for cases in self.all.values():
            healthy = [case for case in cases if case["fault"] == "healthy"]
            self.assertEqual((len(cases), len(healthy)), (design.CASES, design.HEALTHY))
            self.assertEqual(sum("busy-neighbours" in case["bystanders"] for case in healthy), design.HEALTHY // 2)

    def test_at_most_30_percent_of_the_limited_have_insufficient_witnesses(self):
        for cases in self.all.values():
            limited = [case for case in cases if case["fault"] != "healthy"]
            known = [truths.origins(case["fault"], case["stack"], truths.trusted(case)) for case in limited]
            self.assertLessEqual(known.count(truths.INSUFFICIENT), 0.3 * len(limited))

    def test_limited_cases_are_offered_more_than_their_law_and_healthy_ones_less_than_60_percent(self):
        for case in [case for cases in self.all.values() for case in cases if case["load"]["kind"] == "open"]:
            share = case["load"]["rate"] / case["carried"]
            if case["fault"] == "healthy":
                self.assertLessEqual(share, 0.6, case["id"])
            elif case["fault"] != "memory-death":
                self.assertTrue(1.3 <= share <= 2.5, case["id"])

    def test_closed_users_fill_a_limiting_part_and_leave_a_healthy_one_free(self):
        for case in [case for cases in self.all.values() for case in cases if case["load"]["kind"] == "closed"]:
            load = case["load"]
            carried_users = case["carried"] * (case["base_ms"] + load["pause_ms"]) / 1000
            if case["fault"] == "healthy":
                self.assertTrue(load["users"] <= 0.6 * carried_users or load["users"] == 1, case["id"])
            else:
                self.assertGreater(load["users"], 1.3 * carried_users, case["id"])

    def test_held_out_kinds_are_drawn_only_when_asked_for(self):
        for case in [case for cases in self.all.values() for case in cases]:
            self.assertNotIn(case["fault"], truths.HELD_OUT_FAULTS)
            self.assertNotEqual(case["stack"], truths.HELD_OUT_STACK)

    def test_every_fault_has_a_truth_and_witnesses(self):
        for fault in faults.FAULTS:
            self.assertIn(fault, truths.TRUTHS)
            self.assertTrue(fault == "healthy" or fault in truths.SIGHTS)


class Scores(unittest.TestCase):
    def worth(self, fault, answer, **first):
        findings = [{"rule": "", "part": "", **first}] if first else []
        return score.worth({"fault": fault}, {"answer": answer, "findings": findings})

    def test_a_claim_of_a_healthy_target_is_wrong(self):
        self.assertEqual(self.worth("healthy", "limited", rule="database-cpu", part="database"), score.WRONG)

    def test_no_bottleneck_of_a_limited_target_is_wrong(self):
        self.assertEqual(self.worth("pool-small", "no-bottleneck"), score.WRONG)

    def test_a_living_target_that_is_said_to_have_stopped_is_wrong_and_not_unknown(self):
        self.assertEqual(self.worth("lock", "limited", rule="target-stopped", part="unknown"), score.WRONG)
        self.assertEqual(self.worth("memory-death", "limited", rule="target-stopped", part="unknown"), score.UNKNOWN)

    def test_an_honest_not_seen_is_unknown(self):
        self.assertEqual(self.worth("lock", "limited", rule="served-at-once", part="unknown"), score.UNKNOWN)


class Spans(unittest.TestCase):
    def test_a_span_without_attributes_is_sent_on(self):
        one = {"traceId": "0" * 32, "spanId": "1" * 16, "name": "GET", "kind": 2, "startTimeUnixNano": "1", "endTimeUnixNano": "2", "attributes": None}
        self.assertIn(b"GET", collector.span(one))


if __name__ == "__main__":
    unittest.main()
