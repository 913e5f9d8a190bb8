import { assert, describe, it } from "vitest"
import { kindsOf, pictureRefusal } from "../../src/ui/PictureLimits.ts"

const limits = { extensions: [".png", ".jpeg", ".jpg", ".webp"], maxBytes: 10 }

describe("a picture that is chosen", () => {
  it("is refused for its kind or its size, before it is sent", () => {
    assert.isUndefined(pictureRefusal({ name: "a.PNG", size: 10 }, limits))
    assert.strictEqual(pictureRefusal({ name: "a.png", size: 11 }, limits), "pictureLarge")
    assert.strictEqual(pictureRefusal({ name: "a.svg", size: 1 }, limits), "pictureKind")
    assert.strictEqual(pictureRefusal({ name: "png", size: 1 }, limits), "pictureKind")
  })

  it("may be of kinds that are written as people write them", () => {
    assert.strictEqual(kindsOf(limits.extensions), "PNG, JPEG, WebP")
  })
})
