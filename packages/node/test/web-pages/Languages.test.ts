import { assert, layer } from "@effect/vitest"
import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { get } from "./support/Fetch.ts"
import { PagesServer } from "./support/PagesServer.ts"
import { makeVideo } from "./support/WireVideos.ts"
import { World } from "./support/World.ts"

layer(PagesServer.pipe(Layer.provideMerge(NodeHttpClient.layerUndici)))("pages in languages", (it) => {
  it.effect("are written in the language that the browser wants", () =>
    Effect.gen(function* () {
      const { add, origin } = yield* World
      const video = add(makeVideo(origin, 1, { category: { id: 2, label: "Films" }, views: 1 }))
      const french = yield* get(`/w/${video.shortUUID}`, { "accept-language": "fr-CA, en;q=0.5" })
      assert.include(french.text, `<html lang="fr"`)
      assert.include(french.text, "1 vue")
      assert.include(french.text, "Aucun commentaire pour le moment.")
      assert.strictEqual(french.headers["content-language"], "fr")
      assert.strictEqual(french.headers["vary"], "Accept, Accept-Language, Cookie")
      const other = yield* get("/", { "accept-language": "de" })
      assert.include(other.text, `<html lang="en"`)
      assert.strictEqual(other.headers["vary"], "Accept-Language, Cookie")
    })
  )

  it.effect("are written in the language that was chosen, errors too", () =>
    Effect.gen(function* () {
      const cookie = "clientLanguage=fr"
      for (const path of ["/", "/login", "/about", "/nowhere"]) {
        const page = yield* get(path, { cookie, accept: "text/html", "accept-language": "en" })
        assert.include(page.text, `<html lang="fr"`, path)
        assert.include(page.text, `value="fr" lang="fr" aria-pressed="true"`, path)
      }
      const embed = yield* get("/videos/embed/nothing", { cookie })
      assert.include(embed.text, `<html lang="fr"`)
      assert.include(embed.text, "Il n’y a rien ici, ou ce n’est pas public.")
    })
  )

  it.effect("a choice is kept in a cookie and leads back to the page", () =>
    Effect.gen(function* () {
      const { origin } = yield* World
      const choose = (query: string, referer?: string) =>
        Effect.map(get(`/language?${query}`, referer === undefined ? {} : { referer }), ({ headers, status }) => [
          status,
          headers["location"],
          headers["set-cookie"]
        ])
      const kept = "clientLanguage=fr; Max-Age=31536000; Path=/; SameSite=Lax"
      const back = encodeURIComponent("/search?search=a&type=channels")
      assert.deepStrictEqual(yield* choose(`language=fr&next=${back}`), [303, "/search?search=a&type=channels", kept])
      for (const next of [
        "https://evil.example/",
        "//evil.example",
        "/.//evil.example",
        "/a/..//evil.example",
        "/\\evil.example",
        "/language?language=en",
        "\\",
        ""
      ]) {
        assert.deepStrictEqual(yield* choose(`language=fr&next=${encodeURIComponent(next)}`), [303, "/", kept], next)
      }
      const page = "/search?search=a&type=channels"
      assert.deepStrictEqual(yield* choose("language=fr", `${origin}${page}`), [303, page, kept])
      assert.deepStrictEqual(yield* choose("language=fr", "https://evil.example/x"), [303, "/", kept])
      assert.deepStrictEqual(yield* choose("language=fr", `${origin}//evil.example`), [303, "/", kept])
      assert.deepStrictEqual(yield* choose("language=fr"), [303, "/", kept])
      assert.deepStrictEqual(yield* choose("language=xx&next=/about"), [303, "/about", undefined])
    })
  )

  it.effect("a link from a mail is not said once more", () =>
    Effect.gen(function* () {
      const page = yield* get("/reset-password?userId=1&verificationString=abc")
      assert.notInclude(page.text, `action="/language"`)
      assert.include((yield* get("/login")).text, `name="next" value="/login"`)
    })
  )
})
