import { assert, describe, it } from "@effect/vitest"
import { namesHtml, prefersJson, wantsActivity } from "../../src/negotiation/Accept.ts"

describe("negotiation", () => {
  it("gives pages to browsers and objects to servers", () => {
    for (const accept of [
      undefined,
      "",
      "*/*",
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
      "application/json",
      "image/png",
      "application/activity+json;q=0.5, text/html"
    ]) {
      assert.isFalse(wantsActivity(accept), accept)
    }
    for (const accept of [
      "application/activity+json",
      "application/activity+json, application/ld+json",
      'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      "application/activity+json, text/html;q=0.9",
      "APPLICATION/ACTIVITY+JSON",
      "application/activity+json, */*;q=0.1"
    ]) {
      assert.isTrue(wantsActivity(accept), accept)
    }
    for (const accept of ["application/json", "application/jrd+json, */*;q=0.5", "application/json, text/xml;q=0.9"]) {
      assert.isTrue(prefersJson(accept), accept)
    }
    for (const accept of [undefined, "*/*", "application/xrd+xml, application/json;q=0.5", "application/xml"]) {
      assert.isFalse(prefersJson(accept), accept)
    }
    assert.isTrue(namesHtml("text/html"))
    assert.isFalse(namesHtml("*/*"))
  })
})
