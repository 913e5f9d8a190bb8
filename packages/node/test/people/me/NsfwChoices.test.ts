import { assert, describe, it } from "@effect/vitest"
import { allNsfwFlags } from "@kinora/domain/enums/NsfwFlag"
import { nsfwFlagFields, type UpdateMe } from "@kinora/domain/requests/UpdateMe"
import { flagConflicts, withoutMovedFlags } from "../../../src/people/me/NsfwChoices.ts"

const flags = [1, 2, 4]

/** Whether no flag is in two sets. */
const apart = (sets: Readonly<Record<string, unknown>>): boolean =>
  flags.every((flag) => nsfwFlagFields.filter((name) => (Number(sets[name] ?? 0) & flag) !== 0).length <= 1)

/** Every way to put each of the three flags into one of the sets or none. */
const kept = Array.from({ length: 5 ** 3 }, (_, index) => {
  const sets: Record<string, number> = {}
  flags.forEach((flag, position) => {
    const name = nsfwFlagFields[Math.floor(index / 5 ** position) % 5]
    if (name !== undefined) sets[name] = (sets[name] ?? 0) | flag
  })
  return sets
})

/** Every request about two of the sets. */
const requests = nsfwFlagFields.flatMap((one) =>
  nsfwFlagFields
    .filter((other) => other > one)
    .flatMap((other) =>
      Array.from({ length: (allNsfwFlags + 1) ** 2 }, (_, index): UpdateMe => ({
        [one]: index % 8,
        [other]: Math.floor(index / 8)
      }))
    )
)

describe("choices about flagged videos", () => {
  it("whatever stands and whatever is asked: a flag is in one set at most, and where it was asked to be", () => {
    for (const given of requests) {
      const conflict = flagConflicts(given)
      assert.strictEqual(conflict === undefined, apart(given), JSON.stringify(given))
      if (conflict !== undefined) {
        assert.sameMembers(Object.keys(conflict.invalidParams), Object.keys(given))
        continue
      }
      for (const before of kept) {
        const after = { ...before, ...withoutMovedFlags(before, given), ...given }
        assert.isTrue(apart(after), JSON.stringify([before, given]))
        for (const name of nsfwFlagFields) if (given[name] !== undefined) assert.strictEqual(after[name], given[name])
      }
    }
  })

  it("what a user never chose, or chose as nothing we know, is left alone", () => {
    assert.deepStrictEqual(withoutMovedFlags({ nsfwFlagsHidden: "3", theme: "default" }, { nsfwFlagsWarned: 7 }), {})
  })
})
