import { assert, describe, it } from "vitest"
import { errorsOf, newFields, updateOf } from "../../src/video-form/Fields.ts"

const fields = newFields("My_summer  2026.final.mp4", 7)
const now = Date.parse("2026-11-28T00:00:00Z")

describe("the form of a video", () => {
  it("begins with the name of the file", () => {
    assert.strictEqual(fields.name, "My summer 2026.final")
    assert.deepStrictEqual(errorsOf(fields, now), {})
  })
  it("finds what is wrong", () => {
    const wrong = {
      ...fields,
      name: " a ",
      description: "x",
      tags: ["y"],
      privacy: 5,
      publishAt: "2020-01-01T00:00"
    } as const
    assert.deepStrictEqual(Object.keys(errorsOf(wrong, now)).toSorted(), [
      "description",
      "name",
      "password",
      "publishAt",
      "tags"
    ])
  })
  it("sends nothing for what is empty", () => {
    const update = updateOf({ ...fields, name: " A film ", category: "2" })
    assert.deepInclude(update, {
      name: "A film",
      description: null,
      category: 2,
      licence: null,
      language: null,
      privacy: 1
    })
    assert.notProperty(update, "videoPasswords")
  })
  it("keeps a scheduled video private until then", () => {
    const update = updateOf({ ...fields, publishAt: "2030-01-01T12:00" })
    assert.strictEqual(update.privacy, 3)
    assert.strictEqual(update.scheduleUpdate?.privacy, 1)
  })
})
