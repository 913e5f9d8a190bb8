import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { testNode } from "./TestNode.ts"
import { send } from "./Client.ts"

const choose = (path: string, language: unknown) =>
  send(`/api/v1/client-config/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ language })
  })

layer(testNode(), { excludeTestServices: true })("the language of the interface", (it) => {
  it.effect("is remembered in a cookie, and forgotten with null", () =>
    Effect.gen(function* () {
      for (const path of ["update-language", "update-interface-language"]) {
        const chosen = yield* choose(path, "pt-BR")
        assert.strictEqual(chosen.status, 204)
        assert.match(
          chosen.headers.get("set-cookie") ?? "",
          /^clientLanguage=pt-BR; Max-Age=31536000; Path=\/; SameSite=Lax$/
        )
        const forgotten = yield* choose(path, null)
        assert.match(forgotten.headers.get("set-cookie") ?? "", /^clientLanguage=; Max-Age=0;/)
        for (const wrong of ["fr; Path=/", "english", 3, undefined]) {
          assert.strictEqual((yield* choose(path, wrong)).status, 400, String(wrong))
        }
      }
    })
  )
})
