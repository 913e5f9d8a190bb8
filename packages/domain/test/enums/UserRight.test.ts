import { assert, describe, it } from "@effect/vitest"
import { hasRight, userRights } from "../../src/enums/UserRight.ts"
import { UserRole } from "../../src/enums/UserRole.ts"

describe("hasRight", () => {
  it("gives administrators everything and users nothing", () => {
    for (const right of userRights) {
      assert.isTrue(hasRight(UserRole.administrator, right))
      assert.isFalse(hasRight(UserRole.user, right))
    }
  })

  it("gives moderators what moderates, and nothing of the machine", () => {
    assert.isTrue(hasRight(UserRole.moderator, "MANAGE_ABUSES"))
    assert.isTrue(hasRight(UserRole.moderator, "SEE_ALL_VIDEOS"))
    for (const right of ["MANAGE_DEBUG", "MANAGE_JOBS", "MANAGE_CONFIGURATION", "MANAGE_VIDEO_FILES"] as const) {
      assert.isFalse(hasRight(UserRole.moderator, right))
    }
    assert.strictEqual(userRights.filter((right) => hasRight(UserRole.moderator, right)).length, 15)
  })
})
