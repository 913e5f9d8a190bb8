import { assert, layer } from "@effect/vitest"
import { toShortUuid } from "@kinora/domain/ids/ShortUuid"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { bearer, send } from "../../instance/about/Client.ts"
import { People } from "../list/People.ts"
import { addVideo, type VideoOptions } from "../list/Videos.ts"
import { percent } from "../tracker/TrackerNode.ts"
import { type Naming, questionsAbout } from "./Questions.ts"
import { wholeNode } from "./WholeNode.ts"

interface Hidden extends Partial<VideoOptions> {
  /** Who must learn nothing. */
  readonly from: ReadonlyArray<"anonymous" | "other">
  /** Names of the video that open it to who knows them, by design. */
  readonly opens: ReadonlyArray<Naming>
}

const both = ["anonymous", "other"] as const

const hidden: Readonly<Record<string, Hidden>> = {
  private: { privacy: 3, from: both, opens: [] },
  internal: { privacy: 4, from: ["anonymous"], opens: [] },
  password: { privacy: 5, passwords: ["OpenSesame"], from: both, opens: [] },
  unlisted: { privacy: 2, from: both, opens: ["uuid", "file"] },
  blocked: { blacklisted: true, from: both, opens: [] },
  // Files of public videos open by names that nobody was told yet.
  unpublished: { state: 2, from: both, opens: ["file"] }
}

/** What the files of a test video hold, beginnings of their answers. */
const contents = ["web video bytes", "fragmented bytes", "small picture", "large picture", "sprites", "WEBVTT"]

layer(wholeNode, { excludeTestServices: true, timeout: 120_000 })("A video that is not for everybody", (it) => {
  for (const [kind, { from, opens, ...options }] of Object.entries(hidden)) {
    it.effect(
      `${kind}: no answer gives away its name, its words, its addresses or its files`,
      () =>
        Effect.gen(function* () {
          const tokens = yield* People
          const sql = yield* SqlClient
          const marker = `Zebra${kind}`
          const video = yield* addVideo({ owner: "owner", ...options })
          yield* sql`
            update video set name = ${`${marker} in the garden`}, description = ${`Told of ${marker} alone`},
              support = ${`${marker} thanks`} where id = ${video.id}`
          yield* sql`update video_chapter set title = ${marker} where video_id = ${video.id}`
          const short = toShortUuid(video.uuid)
          const secrets = [marker, video.uuid, short, video.token, "holiday.mov", "OpenSesame", ...contents]
          const leaks: Array<string> = []
          let asked = 0
          const ask = Effect.fnUntraced(function* (path: string, headers: Record<string, string>, who: string) {
            const answer = yield* send(path, { headers })
            asked++
            const said = `${answer.text}\n${[...answer.headers].join("\n")}`
            // What stands in the address was known to who asked; the short form of a UUID is the same as the long one.
            const known = decodeURIComponent(path).replaceAll(short, `${short} ${video.uuid}`)
            const told = secrets.filter((secret) => said.includes(secret) && !known.includes(secret))
            if (told.length > 0) leaks.push(`${who} ${path}: ${answer.status} ${told.join(", ")}`)
            if (answer.status >= 500 && answer.status !== 501) leaks.push(`${who} ${path}: ${answer.status}`)
          })
          const questions = questionsAbout(video, marker).filter(({ naming }) => !opens.includes(naming))
          for (const who of from) {
            const headers: Record<string, string> =
              who === "anonymous" ? {} : { authorization: `Bearer ${tokens[who]}` }
            yield* Effect.forEach(questions, ({ path }) => ask(path, headers, who), { concurrency: 8 })
            const activity = { ...headers, accept: "application/activity+json" }
            const pages = questions.filter(({ path }) => !path.startsWith("/api/") && !path.includes("static/"))
            yield* Effect.forEach(pages, ({ path }) => ask(path, activity, `${who}, ActivityPub`), { concurrency: 8 })
          }
          assert.deepStrictEqual(leaks, [])
          assert.isAbove(asked, 150)
          const owner = yield* send(`/api/v1/videos/${video.uuid}`, bearer(tokens.owner))
          assert.include(owner.text, marker, "who may see it is told")
        }),
      120_000
    )
  }

  it.effect("is not announced by the tracker", () =>
    Effect.gen(function* () {
      for (const options of [{ privacy: 3 }, { privacy: 4 }, { privacy: 5 }, { blacklisted: true }]) {
        const { token } = yield* addVideo({ owner: "owner", ...options })
        const infoHash = token.replaceAll("-", "").padEnd(40, "0")
        const query = `info_hash=${percent(infoHash)}&peer_id=${"p".repeat(20)}&port=80`
        assert.include((yield* send(`/tracker/announce?${query}`)).text, "failure reason")
        assert.include((yield* send(`/tracker/scrape?${query}`)).text, "d5:filesde5:flags")
      }
    })
  )
})
