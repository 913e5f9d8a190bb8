import { NodeServices } from "@effect/platform-node"
import { Media } from "@kinora/media/Media"
import { defaultMediaSettings, MediaSettings } from "@kinora/media/settings/MediaSettings"
import { UploadChannels } from "@kinora/storage/video/upload/UploadChannels"
import { Effect, FileSystem, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RequestListener } from "node:http"
import { readdir } from "node:fs/promises"
import { selfSigned } from "../../../../federation/test/fetch/support/Certificates.ts"
import { origin } from "../../../../federation/test/fetch/support/Origin.ts"
import type { Overrides } from "../../../src/platform/config/Config.ts"
import { fetchServices } from "../../../src/federation/fetch/FetchServices.ts"
import { layerServe } from "../../../src/platform/http/HttpServerLayer.ts"
import { ImportSettings } from "../../../src/video/import/ImportSettings.ts"
import { importWorker } from "../../../src/video/import/ImportServices.ts"
import { ImportWorker } from "../../../src/video/import/ImportWorker.ts"
import { ProcessingSettings } from "../../../src/video/process/ProcessingSettings.ts"
import { UploadSettings } from "../../../src/video/staging/UploadSettings.ts"
import { ask, collaborate, Crew, type Member } from "../../people/channel/Crew.ts"
import { testOptions, testRoutes, testServices } from "../../instance/about/TestNode.ts"

const certificate = selfSigned(["127.0.0.1"])

const media = Media.layer.pipe(
  Layer.provide(
    Layer.effect(
      MediaSettings,
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const certificates = `${yield* fs.makeTempDirectoryScoped({ prefix: "kinora-import-" })}/cert.pem`
        yield* fs.writeFileString(certificates, certificate.cert)
        return { ...defaultMediaSettings, certificates }
      }).pipe(Effect.orDie)
    )
  ),
  Layer.provideMerge(NodeServices.layer)
)

const fetching = fetchServices({
  addresses: "loopback",
  certificates: [certificate.cert],
  host: { rate: 1000, burst: 1000, failures: 1000 }
})

const enabled = {
  import: {
    videos: {
      http: { enabled: true },
      torrent: { enabled: true }
    }
  }
}

const crew = Layer.effectDiscard(Effect.andThen(Crew, collaborate("owner_channel", "helper"))).pipe(
  Layer.provideMerge(Crew.layer)
)

/** A node that takes imports in and can work on them, over the network of this machine alone. */
export const importNode = (overrides: Overrides = {}) =>
  Layer.mergeAll(crew, importWorker, UploadChannels.layer).pipe(
    Layer.provideMerge(layerServe(testRoutes, testOptions)),
    Layer.provideMerge(Layer.mergeAll(UploadSettings.layer, ProcessingSettings.layer)),
    Layer.provideMerge(testServices({ ...enabled, ...overrides }, fetching)),
    Layer.provideMerge(media)
  )

/** A site elsewhere, over https. */
export const site = (listener: RequestListener) => origin(listener, certificate)

/** The row id of a channel by its name. */
export const channelId = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ id: number }>`
    select c.id from video_channel c join actor a on a.id = c.actor_id where a.preferred_username = ${name}::citext`
  return row!.id
})

/** Asks for an import into the channel of `owner`. */
export const begin = Effect.fnUntraced(function* (fields: Record<string, unknown>, who: Member = "owner") {
  return yield* ask(who, "POST", "/videos/imports", { channelId: yield* channelId("owner_channel"), ...fields })
})

export interface Seen {
  readonly state: number
  readonly error: string | null
  readonly attempts: number
  readonly videoId: number | null
  readonly videoState: number | null
}

export const see = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient
  const [row] = yield* sql<Seen>`
    select i.state::integer as state, i.error, i.attempts, i.video_id as "videoId", v.state::integer as "videoState"
    from video_import i left join video v on v.id = i.video_id where i.id = ${id}`
  return row!
})

/** Waits for something to be so. */
export const until = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  condition.pipe(
    Effect.repeat({ until: (so) => so, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("100 seconds"),
    Effect.asVoid
  )

/** Works on imports until this one has ended, and gives how. */
export const workOff = Effect.fnUntraced(function* (id: number) {
  const worker = yield* ImportWorker
  const ended = until(Effect.map(see(id), ({ state }) => state !== 1 && state !== 6))
  yield* Effect.raceAllFirst([worker.run, worker.listen, ended])
  return yield* see(id)
})

/** Files that imports have lying about. */
export const lyingAbout = Effect.flatMap(ImportSettings, ({ directory }) => Effect.promise(() => readdir(directory)))
