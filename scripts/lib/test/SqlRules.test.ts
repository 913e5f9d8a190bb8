import { assert, describe, it } from "@effect/vitest"
import { violations } from "../SqlRules.ts"

const check = (files: Readonly<Record<string, string>>, recorded: Readonly<Record<string, string>> = {}) =>
  violations(new Map(Object.entries(files)), new Map(Object.entries(recorded)), (text) => `${text.length}`)

const functions = "people/functions/names.sql"
const table = "people/tables/01-names.sql"

describe("rules of SQL files", () => {
  it("let what is in order pass", () => {
    const one = "-- Names.\n\ncreate table name (text text not null default 'SELECT; --');\n"
    const two = `-- Names.

-- Of one letter.
create function short(n text) returns boolean language sql as $$ select length(n) = 1; $$;
create function short(n text, most integer) returns boolean language sql as $$ select length(n) < most $$;
`
    const three =
      "-- Names.\n\ncreate constraint trigger a after insert\n  on name for each row execute function x();\n"
    const all = { [table]: one, [functions]: two, "people/triggers/names.sql": three }
    assert.deepStrictEqual(check(all, { [table]: `${one.length}` }), [])
  })

  it("hold what was recorded, and want the rest recorded", () => {
    const text = "-- Names.\n"
    assert.match(check({ [table]: text })[0]!, /not recorded/)
    assert.match(check({ [table]: text }, { [table]: "5" })[0]!, /altered after it was recorded/)
    assert.match(check({}, { "changes/0050-a.sql": "5" })[0]!, /recorded, and gone/)
    assert.deepStrictEqual(check({ [functions]: text }), [])
  })

  it("find what is defined twice, and what does not belong", () => {
    const made = "-- Names.\ncreate function a(n text) returns text return n;\n"
    assert.match(
      check({ [functions]: made, "video/functions/b.sql": made })[0]!,
      /function a\(n text\) stands in people/
    )
    const view = "-- Names.\ncreate view v as select 1;\n"
    assert.match(check({ [functions]: view })[0]!, /only functions/)
    const replaced = "-- Names.\ncreate or replace function a() returns text return 1;\n"
    assert.match(check({ [functions]: replaced })[0]!, /only functions by "create"/)
    assert.match(check({ "people/seeds.sql": "-- Names.\n" })[0]!, /no place/)
    const change = "-- Names.\n"
    const same = { "changes/0050-a.sql": change, "changes/0050-b.sql": change, "changes/0049-c.sql": change }
    const sums = { "changes/0050-a.sql": "10", "changes/0050-b.sql": "10", "changes/0049-c.sql": "10" }
    assert.lengthOf(check(same, sums), 2)
  })

  it("find what is written otherwise than the rest", () => {
    const of = (text: string) => check({ [functions]: text }).map((line) => line.replace(/^.*?\.sql:?/, ""))
    assert.deepStrictEqual(of("-- Names."), [" does not end with one line end"])
    assert.deepStrictEqual(of("-- Names.\n\n"), [" does not end with one line end"])
    assert.deepStrictEqual(of("-- A\tb \n"), ["1: a tab", "1: blanks at the end of the line"])
    assert.deepStrictEqual(of("create function a() returns text as $$ SELECT 1 $$;\n"), [
      "1: SELECT in capitals",
      " no comment that says what it is"
    ])
    assert.deepStrictEqual(of(`-- ${"a".repeat(160)}\n`), ["1: 163 characters, more than 160"])
    assert.deepStrictEqual(of(`-- a\n${"--\n".repeat(300)}`), [" 301 lines, more than 300"])
  })
})
