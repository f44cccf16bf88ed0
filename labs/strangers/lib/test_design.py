"""What every draw must keep. Run: python3 -m unittest discover -s labs/strangers/lib"""

import json
import unittest

from strangers import collector, design, score, third, truths

SEEDS = range(1, 40)
HELD_OUT_FAULTS = [*truths.HELD_OUT_FAULTS, *truths.SECOND_HELD_OUT_FAULTS, *truths.THIRD_HELD_OUT_FAULTS]
HELD_OUT_STACKS = [truths.HELD_OUT_STACK, truths.SECOND_HELD_OUT_STACK, truths.THIRD_HELD_OUT_STACK]
NEW_BYSTANDERS = set(third.BYSTANDERS)


class Draws(unittest.TestCase):
    def setUp(self):
        self.all = {seed: design.draw(seed) for seed in SEEDS}

    def all_and_third(self):
        return [case for cases in self.all.values() for case in cases] + [case for seed in SEEDS for case in design.draw(seed, held_out=design.THIRD_HELD_OUT)]

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
        for case in [case for case in self.all_and_third() if case["load"]["kind"] == "open"]:
            share = case["load"]["rate"] / case["carried"]
            if case["fault"] == "healthy":
                self.assertLessEqual(share, 0.6, case["id"])
            elif case["fault"] != "memory-death":
                self.assertTrue(1.3 <= share <= 2.5, case["id"])

    def test_closed_users_fill_a_limiting_part_and_leave_a_healthy_one_free(self):
        for case in [case for case in self.all_and_third() if case["load"]["kind"] == "closed"]:
            load = case["load"]
            carried_users = case["carried"] * (case["base_ms"] + load["pause_ms"]) / 1000
            if case["fault"] == "healthy":
                self.assertTrue(load["users"] <= 0.6 * carried_users or load["users"] == 1, case["id"])
            else:
                self.assertGreater(load["users"], 1.3 * carried_users, case["id"])

    def test_held_out_kinds_are_drawn_only_when_asked_for(self):
        for case in [case for cases in self.all.values() for case in cases]:
            self.assertNotIn(case["fault"], HELD_OUT_FAULTS)
            self.assertNotIn(case["stack"], HELD_OUT_STACKS)
            self.assertFalse(NEW_BYSTANDERS & set(case["bystanders"]), case["id"])

    def test_every_fault_has_a_truth_and_witnesses(self):
        for fault in design.FAULTS:
            self.assertIn(fault, truths.TRUTHS)
            self.assertTrue(fault == "healthy" or fault in truths.SIGHTS)


class ThirdSet(unittest.TestCase):
    def setUp(self):
        self.all = [design.draw(seed, held_out=design.THIRD_HELD_OUT) for seed in SEEDS]

    def test_a_seed_has_20_cases_of_which_6_are_healthy_beside_bystanders_that_are_new(self):
        for cases in self.all:
            healthy = [case for case in cases if case["fault"] == "healthy"]
            self.assertEqual((len(cases), len(healthy)), (20, 6))
            for case in healthy:
                self.assertTrue(NEW_BYSTANDERS & set(case["bystanders"]), case["id"])

    def test_each_new_fault_stands_in_the_new_stack_and_in_one_that_is_known(self):
        for fault in truths.THIRD_HELD_OUT_FAULTS:
            stacks = {case["stack"] for case in self.all[0] if case["fault"] == fault}
            self.assertIn(third.STACK, stacks)
            self.assertGreaterEqual(len(stacks), 2)

    def test_most_limited_cases_have_witnesses_that_know_the_fault(self):
        limited = [case for cases in self.all for case in cases if case["fault"] != "healthy"]
        known = [truths.origins(case["fault"], case["stack"], truths.trusted(case)) for case in limited]
        self.assertLessEqual(known.count(truths.INSUFFICIENT), 0.3 * len(limited))

    def test_a_redis_is_observed_only_where_there_is_one(self):
        for case in [case for cases in self.all for case in cases if "redis" in case["witnesses"] or "redis-pid" in case["witnesses"]]:
            self.assertTrue({"redis_keys", "redis_keys_ms"} & set(case["notes"]), case["id"])

    def test_files_suffice_in_a_healthy_case_for_all_that_its_load_can_have_open(self):
        for case in [case for cases in self.all for case in cases if case["fault"] == "healthy" and "files" in case["notes"]]:
            at_once = case["carried"] * design.HEALTHY_USE_MAX * case["base_ms"] / 1000
            count = next(step["count"] for step in case["target"]["steps"] if step["do"] == "files")
            self.assertGreater(case["notes"]["files"], third.FILES_AT_REST[case["stack"]] + 2 * at_once * (count + third.SOCKETS_A_REQUEST), case["id"])


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

    def test_a_cause_without_a_part_is_right_by_the_words_of_its_sentence(self):
        said = {"rule": "any", "part": "process", "statement": "The process has all the open files that it may have."}
        self.assertEqual(self.worth("open-files", "limited", **said), score.RIGHT)
        self.assertEqual(self.worth("open-files", "limited", rule="any", part="threads", statement="All threads are taken."), score.WRONG)
        quoted = {"rule": "log-errors", "part": "unknown", "statement": "The log says: too many open files."}
        self.assertEqual(self.worth("open-files", "limited", **quoted), score.UNKNOWN)

    def test_an_honest_not_seen_is_unknown(self):
        self.assertEqual(self.worth("lock", "limited", rule="served-at-once", part="unknown"), score.UNKNOWN)


class Spans(unittest.TestCase):
    def test_a_span_without_attributes_is_sent_on(self):
        one = {"traceId": "0" * 32, "spanId": "1" * 16, "name": "GET", "kind": 2, "startTimeUnixNano": "1", "endTimeUnixNano": "2", "attributes": None}
        self.assertIn(b"GET", collector.span(one))


if __name__ == "__main__":
    unittest.main()
