import { assert, describe, it } from "vitest"
import { decisionProblems } from "../Decisions.ts"

const status = "Status: accepted, made 2026-11-21, changed 2026-11-23."
const page = (sections: ReadonlyArray<string>, last = status, title = "# Feeds are cached") =>
  [title, ...sections.map((name) => `## ${name}\n\nText.`), last].join("\n\n") + "\n"
const whole = page(["Context", "Decision", "Consequences", "Figures", "Rejected"])

const row = "| [Feeds are cached](feeds.md) | accepted | 2026-11-21 | 2026-11-23 |"
const index = (...rows: ReadonlyArray<string>) =>
  ["# Decisions", "| decision | status | made | changed |", "| --- | --- | --- | --- |", ...rows].join("\n")

const problems = (text: string, ...rows: ReadonlyArray<string>) =>
  decisionProblems(
    "d",
    new Map([
      ["README.md", index(...(rows.length > 0 ? rows : [row]))],
      ["feeds.md", text]
    ])
  )

describe("decision pages", () => {
  it("have their sections as headings, with others below them", () => {
    assert.deepStrictEqual(problems(whole), [])
    assert.deepStrictEqual(problems(page(["Context", "Decision\n\n### Details", "Consequences"])), [])
  })

  it("have their sections as bold words where they are short", () => {
    const text = `# Feeds are cached\n\n**Context.** A.\n\n**Decision.** B.\n\n**Details.** C.\n\n**Consequences.** D.\n\n${status}\n`
    assert.deepStrictEqual(problems(text), [])
    assert.deepStrictEqual(problems(text.replace("**Context.** ", "")), [
      'd/feeds.md: the section "Context" is missing'
    ])
  })

  it("have no other sections, and these in their order", () => {
    assert.deepStrictEqual(problems(page(["Context", "How", "Consequences"])), [
      'd/feeds.md: "How" is no section of a decision (Context, Decision, Consequences, Figures, Rejected)',
      'd/feeds.md: the section "Decision" is missing'
    ])
    for (const sections of [
      ["Decision", "Context", "Consequences"],
      ["Context", "Decision", "Consequences", "Context"]
    ]) {
      assert.deepStrictEqual(problems(page(sections)), [
        "d/feeds.md: each section stands once, in this order: Context, Decision, Consequences"
      ])
    }
  })

  it("begin with a title and end with their status", () => {
    const wrong =
      'd/feeds.md: begins with "# title" and ends with "Status: accepted, made YYYY-MM-DD, changed YYYY-MM-DD."'
    const sections = ["Context", "Decision", "Consequences"]
    assert.deepStrictEqual(problems(page(sections, "2026-11-21, accepted.")), [wrong])
    assert.deepStrictEqual(problems(page(sections, `${status}\n\nMore.`)), [wrong])
    assert.deepStrictEqual(problems(page(sections, status, "# Feeds are cached.")), [wrong])
  })

  it("stand in the index with the same title and dates", () => {
    assert.deepStrictEqual(problems(whole, "no row"), ["d/feeds.md: has no row in README.md"])
    assert.deepStrictEqual(problems(whole, row.replace("2026-11-23", "2026-11-24").replace("cached", "kept")), [
      'd/feeds.md: title differs from the row in README.md: "Feeds are kept"',
      'd/feeds.md: changed differs from the row in README.md: "2026-11-24"'
    ])
    assert.deepStrictEqual(problems(whole, row, row.replace("feeds.md", "gone.md")), [
      "d/README.md: gone.md does not exist"
    ])
  })

  it("were made before they were changed", () => {
    const earlier = (text: string) => text.replace("2026-11-23", "2026-11-20")
    assert.deepStrictEqual(problems(earlier(whole), earlier(row)), ["d/feeds.md: was changed before it was made"])
  })
})
