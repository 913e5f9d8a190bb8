import { type Audience, publicAudience } from "@kinora/federation/activities/Audience"
import { KeptVideoObjects } from "@kinora/storage/federation/activitypub/KeptVideoObjects"
import { type CreatedVideo, VideoObjects, type VideoText } from "@kinora/storage/federation/activitypub/VideoObjects"
import { Effect, Option } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { videoDocument } from "./documents/Video.ts"

/** JSON text of the Create of a video, whose object is JSON text already. */
export const createdVideoText = (
  video: { readonly url: string; readonly accountUrl: string },
  audience: Audience,
  object: string
): string => {
  const frame = JSON.stringify({ ...audience, type: "Create", id: `${video.url}/activity`, actor: video.accountUrl })
  return `${frame.slice(0, -1)},"object":${object}}`
}

/** JSON texts of videos as others read them: those that are kept, and others made of rows. None: the video is gone. */
export const makeVideoTexts = Effect.gen(function* () {
  const videos = yield* VideoObjects
  const kept = yield* KeptVideoObjects
  const { origin } = (yield* KinoraConfig).derived

  const make = Effect.fn("VideoTexts.make")(function* (id: number) {
    const [row] = yield* videos.rows([id])
    if (row === undefined) return Option.none<string>()
    const made = JSON.stringify(videoDocument(row, origin))
    yield* kept.keep(row, made)
    return Option.some(made)
  })

  const object = ({ id, text }: VideoText) => (text === null ? make(id) : Effect.succeed(Option.some(text)))

  const activity = (video: CreatedVideo) => {
    const audience = video.isPublic ? publicAudience([], [`${video.accountUrl}/followers`]) : { to: [], cc: [] }
    return Effect.map(
      object(video),
      Option.map((text) => createdVideoText(video, audience, text))
    )
  }

  /** Texts by the ids of these videos, which are not kept: many are read at once. */
  const many = Effect.fn("VideoTexts.many")(function* (
    of: ReadonlyArray<{ readonly id: number; readonly text: string | null }>
  ) {
    const missing = of.flatMap(({ id, text }) => (text === null ? [id] : []))
    const rows = missing.length === 0 ? [] : yield* videos.rows(missing)
    return new Map([
      ...of.flatMap(({ id, text }) => (text === null ? [] : [[id, text] as const])),
      ...rows.map((row) => [row.id, JSON.stringify(videoDocument(row, origin))] as const)
    ])
  })

  return { object, activity, many }
})
