import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { attachment, savedName } from "../../../src/video/download/Attachment.ts"

describe("names of saved files", () => {
  it.each([
    ["Holiday", ".mp4", "Holiday.mp4"],
    ['a/b\\c:d*e?f"g<h>i|j', ".mp4", "a_b_c_d_e_f_g_h_i_j.mp4"],
    ["../../etc/passwd", ".mp4", "_.._etc_passwd.mp4"],
    ["two\r\nlines: Set-Cookie", ".mp4", "twolines_ Set-Cookie.mp4"],
    ["\u202egpj.exe", ".mp4", "gpj.exe.mp4"],
    [" . ", ".mp4", "video.mp4"],
    ["été", "-720p.mp4", "été-720p.mp4"]
  ])("%j", (text, ending, name) => {
    assert.strictEqual(savedName(text, ending), name)
  })

  it("are cut between characters and keep their ending", () => {
    const name = savedName("😀".repeat(200), "-720p.mp4")
    assert.isTrue(name.endsWith("😀-720p.mp4"))
    assert.isAtMost(Buffer.byteLength(name), 200)
    assert.isTrue(name.isWellFormed())
  })

  it("are given as ASCII, and as they are where that is different (RFC 6266, RFC 8187)", () => {
    assert.strictEqual(attachment("Holiday.mp4"), `attachment; filename="Holiday.mp4"`)
    assert.strictEqual(
      attachment("été (1)'.mp4"),
      `attachment; filename="ete (1)'.mp4"; filename*=UTF-8''%C3%A9t%C3%A9%20%281%29%27.mp4`
    )
  })

  it.prop("are safe in a header, whatever the text", [Schema.String], ([text]) => {
    const value = attachment(savedName(text, ".mp4"))
    assert.match(
      value,
      /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"(?:; filename\*=UTF-8''[\w%.!#$&+^`|~-]+)?$/
    )
  })
})
