import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ask, Crew, crewNode, type Member, refused } from "../../people/channel/Crew.ts"
import { send } from "../../instance/about/Client.ts"
import { formBody, formType } from "../upload/Form.ts"
import { addVideo } from "../list/Videos.ts"

const srt = "1\n00:00:01,000 --> 00:00:02,000\nGuten <script>Tag</script>\n"
const written = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nGuten &lt;script&gt;Tag&lt;/script&gt;\n"

const put = Effect.fnUntraced(function* (
  who: Member,
  uuid: string,
  language: string,
  content: string | Buffer,
  name = "captionfile"
) {
  const token = (yield* Crew)[who]
  return yield* send(`/api/v1/videos/${uuid}/captions/${language}`, {
    method: "PUT",
    headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), "content-type": formType },
    body: new Uint8Array(formBody([{ name, filename: "a.srt", type: "application/x-subrip", content }]))
  })
})

const captions = Effect.fnUntraced(function* (uuid: string) {
  const { json } = yield* ask("owner", "GET", `/videos/${uuid}/captions`)
  return json.data as ReadonlyArray<{
    readonly language: { readonly id: string; readonly label: string }
    readonly captionPath: string
    readonly automaticallyGenerated: boolean
  }>
})

const languages = (uuid: string) => Effect.map(captions(uuid), (all) => all.map(({ language }) => language.id))

/** What a file leads to is remembered for a second. */
const gone = (path: string) =>
  send(path).pipe(
    Effect.repeat({
      until: ({ status }) => status === 404,
      schedule: Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(25)])
    }),
    Effect.map(({ status }) => assert.strictEqual(status, 404, path))
  )

layer(crewNode(), { excludeTestServices: true, timeout: 60_000 })("Captions", (it) => {
  it.effect("are stored as WebVTT, replaced and removed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { token, uuid } = yield* addVideo({ owner: "owner" })
      assert.strictEqual((yield* put("owner", uuid, "de", srt)).status, 204)
      const [german] = yield* captions(uuid)
      assert.deepInclude(german!, { language: { id: "de", label: "German" }, automaticallyGenerated: false })
      const file = yield* send(german!.captionPath)
      assert.strictEqual(file.status, 200)
      assert.include(file.headers.get("content-type") ?? "", "text/vtt")
      assert.strictEqual(file.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(file.text, written)
      const utf16 = Buffer.from(`\ufeff${srt.replace(/Guten.*/, "Grüße")}`, "utf16le")
      assert.strictEqual((yield* put("owner", uuid, "de", utf16)).status, 204)
      const [again] = yield* captions(uuid)
      assert.include((yield* send(again!.captionPath)).text, "Grüße")
      yield* gone(german!.captionPath)
      assert.deepStrictEqual(yield* languages(uuid), ["de", "en"])
      const waiting = yield* sql<{ name: string }>`
        select name from object_removal where bucket = 'captions' and not_before < now() + interval '1 hour'`
      assert.deepStrictEqual(
        waiting.map(({ name }) => `/lazy-static/video-captions/${name}`),
        [german!.captionPath]
      )
      assert.strictEqual((yield* ask("owner", "DELETE", `/videos/${uuid}/captions/en`)).status, 204)
      assert.deepStrictEqual(yield* languages(uuid), ["de"])
      yield* gone(`/lazy-static/video-captions/${token}-en.vtt`)
      assert.strictEqual((yield* ask("owner", "DELETE", `/videos/${uuid}/captions/en`)).status, 404)
      const { json } = yield* ask("owner", "GET", "/video-channels/owner_channel/activities?count=1")
      assert.deepInclude(json.data[0], { action: { id: 4, label: "Update captions" } })
    })
  )

  it.effect("are changed by the people of the channel and moderators", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      const statuses: Record<string, ReadonlyArray<number>> = {}
      for (const who of ["anonymous", "stranger", "helper", "moderator", "owner"] as const) {
        const added = (yield* put(who, uuid, "fr", srt)).status
        const forced = { forceTranscription: true }
        statuses[who] = [
          added,
          (yield* ask(who, "POST", `/videos/${uuid}/captions/generate`)).status,
          (yield* ask(who, "POST", `/videos/${uuid}/captions/generate`, forced)).status,
          (yield* ask(who, "DELETE", `/videos/${uuid}/captions/fr`)).status
        ]
      }
      assert.deepStrictEqual(statuses, {
        anonymous: [401, 401, 401, 401],
        stranger: [403, 403, 403, 403],
        helper: [204, 400, 501, 204],
        moderator: [204, 400, 501, 204],
        owner: [204, 400, 501, 204]
      })
      const { json } = yield* ask("owner", "POST", `/videos/${uuid}/captions/generate`)
      assert.strictEqual(json.code, "video_already_has_captions")
      assert.deepStrictEqual(yield* languages(uuid), ["en"])
    })
  )

  it.effect("are refused when they are none, too large, or in no language", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner" })
      for (const content of ["", "nothing", Buffer.from([0x31, 0x0a, 0xff, 0xfe, 0x80]), Buffer.alloc(100_000)]) {
        assert.deepStrictEqual(refused(yield* put("owner", uuid, "de", content)), ["captionfile"])
      }
      assert.deepStrictEqual(refused(yield* put("owner", uuid, "de", srt, "other")), ["captionfile"])
      for (const language of ["xx", "__proto__", "de-DE", "zxx", "..%2f..", "DE"]) {
        assert.deepStrictEqual(refused(yield* put("owner", uuid, language, srt)), ["captionLanguage"], language)
      }
      const large = yield* put("owner", uuid, "de", Buffer.alloc(20 * 1024 * 1024 + 1, "a"))
      assert.deepStrictEqual([large.status, large.json.code], [413, "max_file_size_reached"])
      assert.strictEqual(large.headers.get("x-file-maximum-size"), String(20 * 1024 * 1024))
      assert.deepStrictEqual(yield* languages(uuid), ["en"])
      assert.strictEqual((yield* put("owner", "4294967", "de", srt)).status, 404)
    })
  )

  it.effect("of videos one may not see open to nobody else", () =>
    Effect.gen(function* () {
      const { uuid } = yield* addVideo({ owner: "owner", privacy: 3 })
      assert.strictEqual((yield* put("owner", uuid, "de", srt)).status, 204)
      const [german] = yield* captions(uuid)
      // The address that the owner reads opens by a token of the owner's session.
      const [path, query] = german!.captionPath.split("?")
      assert.match(query ?? "", /^videoFileToken=\S+$/)
      assert.strictEqual((yield* send(german!.captionPath)).text, written)
      assert.notStrictEqual((yield* send(path!)).status, 200)
      const owner = { headers: { authorization: `Bearer ${(yield* Crew).owner}` } }
      assert.strictEqual((yield* send(path!, owner)).text, written)
    })
  )
})
