//! `SharedArray` of `k6/data`.

use super::{Run, printed, run};

#[test]
fn a_shared_array_reads_like_an_array_of_frozen_copies() {
    let lines = printed(
        "import { SharedArray } from 'k6/data';
        const people = new SharedArray('people', () => [{ name: 'Ann', age: 31 }, { name: 'Bob', age: 25, deep: { b: [2] } }]);
        export default function () {
          console.log(people.length, people[0].name, people[99], Array.isArray(people), people[0] === people[0]);
          console.log(people.map((p) => p.age).join(), people.filter((p) => p.age > 30).length, people.find((p) => p.name === 'Bob').age);
          console.log([...people].length, Object.keys(people).join(), 1 in people, 2 in people, JSON.stringify(people.slice(1)), Object.isFrozen(people[1].deep.b));
          let names = '';
          for (const person of people) names += person.name;
          console.log(names);
          const attempts = [() => (people[0] = 1), () => people.push(1), () => (people.length = 0), () => delete people[0], () => { people[1].deep.b[0] = 1; }];
          for (const attempt of attempts) {
            try { attempt(); console.log('no error'); } catch (error) { console.log(error.name); }
          }
          console.log(JSON.stringify(people));
        }",
    );
    assert_eq!(
        lines,
        [
            "2 Ann undefined true false",
            "31,25 1 25",
            r#"2 0,1 true false [{"name":"Bob","age":25,"deep":{"b":[2]}}] true"#,
            "AnnBob",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            "TypeError",
            r#"[{"name":"Ann","age":31},{"name":"Bob","age":25,"deep":{"b":[2]}}]"#,
        ]
    );
}

#[test]
fn an_array_the_script_still_holds_is_left_whole() {
    let ran = run(
        "import { SharedArray } from 'k6/data';
        const kept = [1, 2, 3];
        const shared = new SharedArray('kept', () => kept);
        export default () => console.log(kept.join(), [...shared].join());",
        Run::once(),
    );
    assert_eq!(ran.lines, ["1,2,3 1,2,3"]);
}

#[test]
fn a_shared_array_is_made_once_for_all_users_of_all_workers() {
    let script = "import { SharedArray } from 'k6/data';
        if (__VU > 0) new SharedArray('late', () => { console.log('late'); return [...new SharedArray('inner', () => { console.log('inner'); return [1]; })]; });
        const list = new SharedArray('once', () => { console.log('made'); return [1, 2, 3]; });
        const same = new SharedArray('once', () => [9]);
        export default function () { console.log(list[0] + same[2]); }";
    let mut lines = run(script, Run::new(4, 4, 2)).lines;
    lines.sort();
    assert_eq!(lines, ["4", "4", "4", "4", "inner", "late", "made"]);
}

#[test]
fn what_cannot_be_a_shared_array_is_refused() {
    let lines = printed(
        "import { SharedArray } from 'k6/data';
        const messages = [];
        for (const [name, make] of [['object', () => ({})], ['nothing', () => undefined], ['async', async () => []], ['', () => []], ['none', 1]]) {
          try { new SharedArray(name, make); } catch (error) { messages.push(error.message); }
        }
        export default function () {
          messages.forEach((m) => console.log(m));
          try { new SharedArray('late', () => []); } catch (error) { console.log(error.message); }
        }",
    );
    assert_eq!(
        lines,
        [
            "only arrays can be made into SharedArray",
            "Cannot convert undefined or null to object",
            "SharedArray constructor does not support async functions as second argument",
            "empty name provided to SharedArray's constructor",
            "a function is expected as the second argument of SharedArray's constructor",
            "new SharedArray must be called in the init context",
        ]
    );
}
