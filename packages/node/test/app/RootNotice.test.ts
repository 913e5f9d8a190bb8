import { assert, it } from "@effect/vitest"
import { rootNotice } from "../../src/app/RootNotice.ts"

it("warns of root alone, in one line", () => {
  assert.isUndefined(rootNotice(1000, "/data"))
  // Systems without user ids.
  assert.isUndefined(rootNotice(undefined, "/data"))
  assert.match(rootNotice(0, "/data") ?? "", /^Kinora runs as root, .*\/data.*\(docs\/operating\.md\)\.$/)
})
