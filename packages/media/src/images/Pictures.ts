import { Context, Effect, FileSystem, Layer, Option, type PlatformError, Semaphore } from "effect"
import { UnsupportedPicture } from "../errors/MediaErrors.ts"
import { MediaSettings } from "../settings/MediaSettings.ts"
import { pictureKind } from "./PictureKind.ts"

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** A written picture. */
export interface PictureFile extends PictureSize {
  readonly path: string
  readonly size: number
}

const damaged = (cause: unknown) =>
  new UnsupportedPicture({
    reason: /pixel limit/i.test(String(cause)) ? "too-many-pixels" : "damaged",
    detail: /pixel limit/i.test(String(cause)) ? "The picture has too many pixels." : "The picture is damaged."
  })

/** The native library takes a tenth of a second to load, so it is loaded with the first image. */
const image = () => import("sharp").then((module) => module.default)

/**
 * Decodes untrusted images: the format by magic bytes, pixels and bytes limited before decoding, only the first frame,
 * without metadata, two at a time. (sharp CVEs of 2026, CWE-409)
 */
export class Pictures extends Context.Service<
  Pictures,
  {
    /**
     * Writes one JPEG per target, cropped (`cover`) or padded (`contain`) to its exact size, enlarged if needed.
     * `background`, black by default, is the colour of the padding and of transparent parts.
     */
    write(
      source: string,
      targets: ReadonlyArray<PictureSize & { readonly path: string }>,
      fit: "cover" | "contain",
      background?: string
    ): Effect.Effect<ReadonlyArray<PictureFile>, UnsupportedPicture | PlatformError.PlatformError>
    /**
     * Writes one PNG of this height, and of this width, padded, or the width that follows from the picture's shape, at most
     * eight times the height. Transparent parts stay so.
     */
    icon(
      source: string,
      target: { readonly path: string; readonly width: number | null; readonly height: number }
    ): Effect.Effect<PictureFile, UnsupportedPicture | PlatformError.PlatformError>
    /** A plain dark JPEG, for audio without any image. */
    plain(
      target: PictureSize & { readonly path: string }
    ): Effect.Effect<PictureFile, UnsupportedPicture | PlatformError.PlatformError>
  }
>()("@kinora/media/images/Pictures") {
  static readonly layer = Layer.effect(
    Pictures,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const settings = yield* MediaSettings
      const turns = yield* Semaphore.make(2)

      const vetted = Effect.fnUntraced(function* (source: string) {
        const file = yield* fs.open(source, { flag: "r" })
        const size = Number((yield* file.stat).size)
        const head = Option.getOrElse(yield* file.readAlloc(16, { position: 0n }), () => new Uint8Array(0))
        if (pictureKind(head) === undefined) {
          return yield* new UnsupportedPicture({ reason: "type", detail: "Pictures must be JPEG, PNG, WebP or GIF." })
        }
        if (size > settings.maxPictureBytes) {
          return yield* new UnsupportedPicture({ reason: "too-large", detail: "The picture file is too large." })
        }
      }, Effect.scoped)

      const write = Effect.fn("Pictures.write")(function* (
        source: string,
        targets: ReadonlyArray<PictureSize & { readonly path: string }>,
        fit: "cover" | "contain",
        background = "#000000"
      ) {
        if (targets.some(({ height, width }) => width * height > settings.maxPicturePixels)) {
          return yield* new UnsupportedPicture({ reason: "too-many-pixels", detail: "The image would be too large." })
        }
        yield* vetted(source)
        const largest = {
          width: Math.max(...targets.map(({ width }) => width)),
          height: Math.max(...targets.map(({ height }) => height))
        }
        const decode = Effect.tryPromise({
          try: async () =>
            (await image())(source, {
              limitInputPixels: settings.maxPicturePixels,
              failOn: "error",
              pages: 1,
              sequentialRead: true
            })
              .rotate()
              // Shrinks while decoding: a full photo would need a hundred megabytes.
              .resize({ ...largest, fit: "outside", withoutEnlargement: true })
              .timeout({ seconds: 20 })
              .toColourspace("srgb")
              .raw()
              .toBuffer({ resolveWithObject: true }),
          catch: damaged
        })
        const { data, info } = yield* decode
        return yield* Effect.forEach(targets, ({ height, path, width }) =>
          Effect.tryPromise({
            try: async () =>
              (await image())(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
                .flatten({ background })
                .resize({ width, height, fit, background })
                .timeout({ seconds: 20 })
                .jpeg({ quality: 82, mozjpeg: false })
                .toBuffer(),
            catch: damaged
          }).pipe(
            // The library says nothing of a full disk, and leaves an empty file.
            Effect.tap((jpeg) => fs.writeFile(path, jpeg)),
            Effect.map((jpeg): PictureFile => ({ path, width, height, size: jpeg.length }))
          )
        )
      }, turns.withPermits(1))

      const icon = Effect.fn("Pictures.icon")(function* (
        source: string,
        target: { readonly path: string; readonly width: number | null; readonly height: number }
      ) {
        const { height, path } = target
        yield* vetted(source)
        const { data, info } = yield* Effect.tryPromise({
          try: async () =>
            (await image())(source, {
              limitInputPixels: settings.maxPicturePixels,
              failOn: "error",
              pages: 1,
              sequentialRead: true
            })
              .rotate()
              .resize({
                height,
                width: target.width ?? height * 8,
                fit: target.width === null ? "inside" : "contain",
                background: "#00000000"
              })
              .timeout({ seconds: 20 })
              .png({ compressionLevel: 9 })
              .toBuffer({ resolveWithObject: true }),
          catch: damaged
        })
        yield* fs.writeFile(path, data)
        return { path, width: info.width, height: info.height, size: data.length } satisfies PictureFile
      }, turns.withPermits(1))

      const plain = Effect.fn("Pictures.plain")(function* (target: PictureSize & { readonly path: string }) {
        const { height, path, width } = target
        const jpeg = yield* Effect.tryPromise({
          try: async () =>
            (await image())({ create: { width, height, channels: 3, background: "#17181c" } })
              .jpeg({ quality: 82 })
              .toBuffer(),
          catch: damaged
        })
        yield* fs.writeFile(path, jpeg)
        return { path, width, height, size: jpeg.length } satisfies PictureFile
      })

      return Pictures.of({ write, icon, plain })
    })
  )
}
