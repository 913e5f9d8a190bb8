import { assert, describe, it } from "@effect/vitest"
import { userFields } from "../../src/requests/UserFields.ts"

const { channelName, displayName, email, password, username } = userFields

describe("fields of users", () => {
  it("user names are plain lower-case letters, whatever looks like them", () => {
    for (const good of ["a", "ada.lovelace_1", "a".repeat(50)]) assert.strictEqual(username.parse(good), good)
    // Full width, Cyrillic, a zero-width space, a wildcard, capitals, empty, too long, other types.
    for (const bad of ["ａdа", "аda", "a\u200bda", "a%", "Ada", "", "a".repeat(51), 7, null, ["a"], {}]) {
      assert.isUndefined(username.parse(bad), String(bad))
    }
  })

  it("passwords are bounded in characters and in bytes", () => {
    assert.strictEqual(password.parse("correct horse"), "correct horse")
    assert.strictEqual(password.parse("ä".repeat(36)), "ä".repeat(36))
    for (const bad of ["short", "ä".repeat(37), "x".repeat(51), "nul\u0000inside", 123456]) {
      assert.isUndefined(password.parse(bad), String(bad))
    }
  })

  it("mail addresses have no line breaks, quotes or second address", () => {
    for (const good of ["ada@example.com", "a.b+c@mail.example.com", "jürgen@exämple.de", "root@localhost"]) {
      assert.strictEqual(email.parse(good), good)
    }
    const bad = [
      "ada",
      "ada@",
      "@example.com",
      "a@b@c.d",
      "ada@example.com\r\nBcc: eve@example.com",
      "ada@example.com,eve@example.com",
      "<ada@example.com>",
      '"a b"@example.com',
      "ada@gma\u0130l.com",
      "ada@\u212aeep.example",
      "ada@-example.com",
      "ada@example..com",
      `${"a".repeat(65)}@example.com`,
      `a@${"b.".repeat(130)}c`
    ]
    for (const value of bad) assert.isUndefined(email.parse(value), value)
  })

  it("display names take any script, in one form, and nothing unseen", () => {
    assert.strictEqual(displayName.parse("  Zoë  "), "Zoë")
    assert.strictEqual(displayName.parse("Zoe\u0308"), "Zoë")
    assert.strictEqual(displayName.parse("日本語"), "日本語")
    for (const bad of ["", "   ", "a\u202eb", "a\nb", "x".repeat(121), 5]) assert.isUndefined(displayName.parse(bad))
  })

  it("channel names are letters, digits and a few signs", () => {
    assert.strictEqual(channelName.parse("Main_Channel-1.a:b"), "Main_Channel-1.a:b")
    for (const bad of ["main channel", "a/b", "a@b", "ａ", "", "a".repeat(51)])
      assert.isUndefined(channelName.parse(bad))
  })
})
