import { type LogoType, logoSizes, logoTypes } from "@kinora/domain/enums/LogoType"
import type { ActorNotFound } from "@kinora/domain/errors/ActorErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import type { ActorImageType } from "@kinora/domain/enums/ImageSizes"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ActorImage } from "@kinora/domain/wire/ActorImage"
import type { InstanceLogo } from "@kinora/domain/wire/InstanceLogo"
import { Pictures } from "@kinora/media/images/Pictures"
import {
  type InstanceImages,
  InstanceImageRows,
  logoObject
} from "@kinora/storage/instance/appearance/InstanceImageRows"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { Context, Effect, Exit, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { dirname, join } from "node:path"
import { ActorImages } from "../../people/actor/ActorImages.ts"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"

type Refused = InvalidParameters | ActorNotFound | InsufficientStorage | DatabaseUnavailable

/** What stands in for a logo that nobody chose. */
const fallbacks: Readonly<Record<LogoType, { readonly file: string; readonly side: number }>> = {
  favicon: { file: "icon-32.png", side: 32 },
  "header-wide": { file: "icon-192.png", side: 192 },
  "header-square": { file: "icon-192.png", side: 192 },
  opengraph: { file: "icon-512.png", side: 512 }
}

/** The pictures that answers and pages show. */
export interface ShownImages {
  readonly avatars: ReadonlyArray<ActorImage>
  readonly banners: ReadonlyArray<ActorImage>
  /** One of each kind. */
  readonly logos: ReadonlyArray<InstanceLogo>
}

const none: InstanceImages = { actorId: undefined, avatars: [], banners: [], logos: [] }

/** How the instance looks: avatar and banner of its own actor, which other instances see as well, and its logos. */
export class Appearance extends Context.Service<
  Appearance,
  {
    /** The pictures as this node knows them. */
    readonly shown: () => ShownImages
    /** Makes avatar or banner from a file (see `ImageUpload`). */
    readonly setImage: (user: CurrentUserShape, type: ActorImageType, file: string) => Effect.Effect<void, Refused>
    readonly removeImage: (
      user: CurrentUserShape,
      type: ActorImageType
    ) => Effect.Effect<void, ActorNotFound | DatabaseUnavailable>
    /** Makes a logo from a file. Transparent parts stay so, but for the picture of previews. */
    readonly setLogo: (user: CurrentUserShape, type: LogoType, file: string) => Effect.Effect<void, Refused>
    readonly removeLogo: (user: CurrentUserShape, type: LogoType) => Effect.Effect<void, DatabaseUnavailable>
    /** Reads the pictures anew, after a notice. */
    readonly load: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/appearance/Appearance") {
  static readonly layer = Layer.effect(
    Appearance,
    Effect.gen(function* () {
      const { origin } = (yield* KinoraConfig).derived
      const runtime = yield* RuntimeConfig
      const rows = yield* InstanceImageRows
      const images = yield* ActorImages
      const pictures = yield* Pictures
      const objects = yield* ObjectStore
      const audit = yield* AuditTrail
      let current = none

      const load = Effect.gen(function* () {
        const found = yield* rows.all
        const isSame = JSON.stringify(found) === JSON.stringify(current)
        current = found
        if (!isSame) yield* runtime.touch
      })

      const logoOf = (type: LogoType): InstanceLogo => {
        const own = current.logos.find((logo) => logo.type === type)
        if (own === undefined) {
          const { file, side } = fallbacks[type]
          return { type, width: side, height: side, fileUrl: `${origin}/client/icons/${file}`, isFallback: true }
        }
        const { filename, height, width } = own
        return { type, width, height, fileUrl: `${origin}/static/uploads/images/${filename}`, isFallback: false }
      }

      const entry = (action: "update" | "delete", what: string) => ({ domain: "appearance", action, target: { what } })

      const record = (user: CurrentUserShape, action: "update" | "delete", what: string) =>
        audit.record(user, entry(action, what))

      const settled = <E>(change: Effect.Effect<unknown, E>) => Effect.andThen(change, load)

      const actorId = Effect.suspend(() =>
        current.actorId === undefined
          ? Effect.flatMap(rows.all, (it) => Effect.succeed(it.actorId ?? 0))
          : Effect.succeed(current.actorId)
      )

      const setImage = Effect.fn("Appearance.setImage")(function* (
        user: CurrentUserShape,
        type: ActorImageType,
        file: string
      ) {
        yield* images.set(yield* actorId, type, file, audit.around(user, entry("update", type)))
        yield* settled(rows.notify)
      })

      const removeImage = Effect.fn("Appearance.removeImage")(function* (user: CurrentUserShape, type: ActorImageType) {
        yield* audit.act(user, entry("delete", type), images.remove(yield* actorId, type))
        yield* settled(rows.notify)
      })

      const make = (type: LogoType, file: string, path: string) =>
        (type === "opengraph"
          ? Effect.map(
              pictures.write(file, [{ width: 1200, height: 650, path }], "cover", "#ffffff"),
              (made) => made[0]!
            )
          : pictures.icon(file, { ...logoSizes[type], path })
        ).pipe(
          Effect.catchTags({
            UnsupportedPicture: ({ detail }) => Effect.fail(InvalidParameters.one("logofile", detail, "body")),
            PlatformError: Effect.die
          })
        )

      const setLogo = Effect.fn("Appearance.setLogo")(function* (user: CurrentUserShape, type: LogoType, file: string) {
        const filename = `${randomUUID()}.${type === "opengraph" ? "jpg" : "png"}`
        const path = join(dirname(file), filename)
        const { height, width } = yield* make(type, file, path)
        yield* rows.intend(filename)
        yield* objects.put(logoObject(filename), path).pipe(
          Effect.andThen(rows.setLogo({ type, filename, width, height }, record(user, "update", type))),
          Effect.onExit((exit) =>
            // If this fails too, the daily cleanup removes it.
            Exit.isSuccess(exit)
              ? Effect.void
              : Effect.ignore(rows.abandon(filename), {
                  log: "Warn",
                  message: "A picture that is not needed could not be removed; the daily sweep does"
                })
          )
        )
        yield* load
      })

      const removeLogo = Effect.fn("Appearance.removeLogo")((user: CurrentUserShape, type: LogoType) =>
        settled(rows.removeLogo(type, record(user, "delete", type)))
      )

      return Appearance.of({
        shown: () => ({ avatars: current.avatars, banners: current.banners, logos: logoTypes.map(logoOf) }),
        setImage,
        removeImage,
        setLogo,
        removeLogo,
        load
      })
    })
  )
}
