import { assert, describe, it } from "@effect/vitest"
import { filterCount, filteredAddress, filtersOf, narrowedBy } from "../../src/web-pages/BrowseFilters.ts"
import { browseTitle } from "../../src/web-pages/BrowseTitle.ts"
import { pageLanguage } from "../../src/web-pages/language/PageLanguage.ts"

const set = (query: Parameters<typeof filtersOf>[0]) =>
  Object.fromEntries(Object.entries(filtersOf(query)).filter((it) => it[1] !== undefined))

describe("filters of a list", () => {
  it("stand in the address, and what is unknown is left out", () => {
    const query = {
      sort: "-hot",
      scope: "local",
      categoryOneOf: "1",
      languageOneOf: "fr",
      tagsOneOf: " sea & sun ",
      length: "long",
      since: "week"
    }
    const filters = filtersOf(query)
    assert.deepStrictEqual(set(query), { ...query, tagsOneOf: "sea & sun" })
    assert.strictEqual(filterCount(filters), 6)
    assert.strictEqual(
      filteredAddress("/videos/browse", { sort: "-hot", tagsOneOf: "sea & sun" }),
      "/videos/browse?sort=-hot&tagsOneOf=sea+%26+sun"
    )
    for (const bad of [
      { sort: "-name;drop", scope: "all", categoryOneOf: "99", languageOneOf: "__proto__", length: "toString" },
      { tagsOneOf: "x".repeat(31), since: "" },
      { tagsOneOf: ["a", "b"], sort: ["-hot"] },
      { tagsOneOf: "   " }
    ]) {
      assert.deepStrictEqual(set(bad), {})
    }
  })

  it("narrow the list down", () => {
    const now = Date.UTC(2026, 10, 28, 12, 34)
    assert.deepStrictEqual(narrowedBy(filtersOf({ length: "medium", since: "day", scope: "local" }), now), {
      isLocal: true,
      durationMin: 240,
      durationMax: 1200,
      startDate: "2026-11-27T12:00:00.000Z"
    })
    assert.deepStrictEqual(narrowedBy({}, now), {})
  })

  it("give the list its name", () => {
    assert.strictEqual(browseTitle(pageLanguage("en"), { tagsOneOf: "sea", categoryOneOf: "1" }), "#sea")
    assert.strictEqual(browseTitle(pageLanguage("en"), { categoryOneOf: "1" }), "Music")
    assert.strictEqual(browseTitle(pageLanguage("en"), { languageOneOf: "fr" }), "Videos in French")
    assert.strictEqual(browseTitle(pageLanguage("en"), { sort: "-best" }), "Best videos")
    assert.strictEqual(browseTitle(pageLanguage("en"), { scope: "local" }), "Local videos")
    assert.strictEqual(browseTitle(pageLanguage("fr"), { languageOneOf: "fr" }), "Vidéos en français")
    assert.strictEqual(browseTitle(pageLanguage("fr"), { categoryOneOf: "1" }), "Musique")
  })
})
