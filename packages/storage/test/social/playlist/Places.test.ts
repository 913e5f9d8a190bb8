import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { misplaced, type Reorder, shiftOf } from "../../../src/social/playlist/Places.ts"

const order = (startPosition: number, insertAfterPosition: number, reorderLength = 1): Reorder => ({
  startPosition,
  insertAfterPosition,
  reorderLength
})

/** What the places hold afterwards. */
const moved = (length: number, wanted: Reorder): ReadonlyArray<number> => {
  const shift = shiftOf(wanted)
  const places = Array.from({ length }, (_, index) => index + 1)
  if (shift === undefined) return places
  const after: Array<number> = []
  for (const place of places) {
    const isWithin = place >= shift.first && place <= shift.last
    const by = place >= shift.from && place <= shift.to ? shift.by : shift.othersBy
    after[(isWithin ? place + by : place) - 1] = place
  }
  return after
}

it("moves neighbours behind a place, forwards and backwards", () => {
  assert.deepStrictEqual(moved(5, order(2, 4)), [1, 3, 4, 2, 5])
  assert.deepStrictEqual(moved(5, order(4, 0)), [4, 1, 2, 3, 5])
  assert.deepStrictEqual(moved(5, order(1, 5, 2)), [3, 4, 5, 1, 2])
  assert.deepStrictEqual(moved(5, order(4, 1, 2)), [1, 4, 5, 2, 3])
})

it("leaves everything where it is behind itself, behind its neighbour and behind a part of itself", () => {
  for (const stays of [order(3, 3), order(3, 2), order(2, 3, 3), order(2, 4, 3), order(1, 0)]) {
    assert.deepStrictEqual(moved(5, stays), [1, 2, 3, 4, 5])
  }
})

it("says which place is not there", () => {
  assert.deepStrictEqual(misplaced(order(6, 0), 5), { field: "startPosition", most: 5 })
  assert.deepStrictEqual(misplaced(order(1, 6), 5), { field: "insertAfterPosition", most: 5 })
  assert.deepStrictEqual(misplaced(order(4, 0, 3), 5), { field: "reorderLength", most: 2 })
  assert.isUndefined(misplaced(order(4, 0, 2), 5))
  assert.deepStrictEqual(misplaced(order(1, 0), 0), { field: "startPosition", most: 0 })
})

it("does what taking out and putting in does, whatever is asked", () => {
  const wanted = fc.integer({ min: 1, max: 12 }).chain((length) =>
    fc.record({
      length: fc.constant(length),
      startPosition: fc.integer({ min: 1, max: length }),
      insertAfterPosition: fc.integer({ min: 0, max: length }),
      reorderLength: fc.integer({ min: 1, max: length })
    })
  )
  fc.assert(
    fc.property(wanted, ({ length, ...given }) => {
      if (misplaced(given, length) !== undefined) return
      const { insertAfterPosition, reorderLength, startPosition } = given
      const places = Array.from({ length }, (_, index) => index + 1)
      const block = places.slice(startPosition - 1, startPosition - 1 + reorderLength)
      const rest = places.filter((place) => !block.includes(place))
      const isInside = insertAfterPosition >= startPosition && block.includes(insertAfterPosition)
      const at = rest.filter((place) => place <= insertAfterPosition).length
      const expected = isInside ? places : [...rest.slice(0, at), ...block, ...rest.slice(at)]
      assert.deepStrictEqual(moved(length, given), expected)
    })
  )
})
