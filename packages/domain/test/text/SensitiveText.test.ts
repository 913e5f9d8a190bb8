import { assert, describe, it } from "@effect/vitest"
import { sayIn } from "../../src/i18n/Say.ts"
import { messages } from "../../src/messages/en/sensitive.ts"
import { choicesOf, treatmentFor } from "../../src/text/SensitiveText.ts"

const sensitive = (nsfwFlags: number) => ({ nsfw: true, nsfwFlags })

describe("sensitive videos", () => {
  it("are shown as the policy says, others always", () => {
    for (const [policy, treatment] of [
      ["display", "display"],
      ["warn", "warn"],
      ["blur", "blur"],
      ["do_not_list", "blur"]
    ] as const) {
      assert.strictEqual(treatmentFor(sensitive(0), choicesOf(policy)), treatment)
      assert.strictEqual(treatmentFor(sensitive(3), choicesOf(policy)), treatment)
      assert.strictEqual(treatmentFor({ nsfw: false, nsfwFlags: 0 }, choicesOf(policy)), "display")
    }
  })

  it("are shown as the viewer chose for their reasons, the strictest choice first", () => {
    const choices = { ...choicesOf("warn"), nsfwFlagsDisplayed: 1, nsfwFlagsBlurred: 2 }
    for (const [flags, treatment] of [
      [0, "warn"],
      [1, "display"],
      [2, "blur"],
      [3, "blur"],
      [4, "warn"],
      [5, "warn"]
    ] as const) {
      assert.strictEqual(treatmentFor(sensitive(flags), choices), treatment, String(flags))
    }
    assert.strictEqual(treatmentFor(sensitive(1), { ...choicesOf("display"), nsfwFlagsHidden: 1 }), "blur")
    assert.strictEqual(treatmentFor(sensitive(1), { ...choicesOf("display"), nsfwFlagsWarned: 1 }), "warn")
  })

  it("are announced with their reasons", () => {
    const say = sayIn<typeof messages>("en", messages)
    assert.include(say("text", { flags: 3 }), "violence and explicit sex")
    assert.include(say("text", { flags: 0 }), "marked this video as sensitive")
  })
})
