import { constraints } from "@kinora/domain/enums/Constraints"
import { invalidParamsOf } from "@kinora/domain/errors/InvalidParams"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { decodeImportCreate, type ImportCreate } from "@kinora/domain/requests/ImportRequests"
import { checkTogether } from "@kinora/domain/requests/VideoUpload"
import type { ImportSource } from "@kinora/storage/video/write/NewImport"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { join } from "node:path"
import { readFields } from "../../platform/body/FieldsBody.ts"
import type { FileSink } from "../../platform/body/MultipartBody.ts"
import { singleLine } from "./Cleaning.ts"
import { isPictureField, pictureSink } from "../staging/PictureSink.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import type { PictureField } from "../staging/UploadPictures.ts"

const { maxBytes: maxTorrent } = constraints.import.torrent

/** Two images, a torrent, and the maximum for fields and boundaries. */
const maxBytes = 2 * constraints.video.image.maxBytes + maxTorrent + 1024 * 1024

interface SentFile {
  readonly name: string
  readonly parts: Array<Uint8Array>
}

/** Keeps a small file in memory. */
const torrentSink = (parts: Array<Uint8Array>): FileSink<InvalidParameters> => {
  let size = 0
  return {
    write: (chunk) => {
      size += chunk.length
      if (size > maxTorrent) {
        return Effect.fail(
          InvalidParameters.one("torrentfile", `Should be a torrent file of at most ${maxTorrent} bytes`, "body")
        )
      }
      parts.push(Uint8Array.from(chunk))
      return Effect.void
    },
    end: Effect.void
  }
}

/** The source of an import: a URL takes precedence over a magnet link, and that over a torrent file. */
const sourceOf = ({ magnetUri, targetUrl }: ImportCreate, torrent: SentFile | undefined): ImportSource | undefined => {
  if (targetUrl !== undefined && targetUrl !== null) return { _tag: "Url", url: targetUrl }
  if (magnetUri !== undefined && magnetUri !== null) return { _tag: "Magnet", uri: magnetUri }
  if (torrent === undefined || torrent.parts.length === 0) return undefined
  return { _tag: "Torrent", file: Buffer.concat(torrent.parts), name: torrent.name }
}

const missing = InvalidParameters.one(
  "targetUrl",
  "Must have the address of a video, a magnet link in magnetUri or a torrent in torrentfile",
  "body"
)

/** What a request wants to import. Its images are in the folder, which the caller provides. */
export interface AskedImport {
  readonly fields: ImportCreate
  readonly source: ImportSource
  readonly pictures: ReadonlyMap<PictureField, string>
}

/** Reads the body of an import request: a form with files, a form without, or JSON. */
export const readImport = Effect.fn("ImportBody.readImport")(function* (request: HttpServerRequest, folder: string) {
  const pictures = new Map<PictureField, string>()
  let torrent: SentFile | undefined
  const input = yield* readFields<InsufficientStorage | InvalidParameters>(request, {
    maxBytes,
    onFile: Effect.fnUntraced(function* ({ filename, name }) {
      if (name === "torrentfile" && torrent === undefined) {
        torrent = { name: torrentName(filename), parts: [] }
        return torrentSink(torrent.parts)
      }
      if (!isPictureField(name) || pictures.has(name)) return ignored
      const path = join(folder, name)
      pictures.set(name, path)
      return yield* pictureSink(name, path)
    })
  })
  const fields = yield* Effect.mapError(
    decodeImportCreate(input),
    ({ issue }) => new InvalidParameters({ invalidParams: invalidParamsOf(issue, "body", input) })
  )
  const together = checkTogether(fields)
  if (together !== undefined) return yield* together
  const source = sourceOf(fields, torrent)
  if (source === undefined) return yield* missing
  return { fields, source, pictures } satisfies AskedImport
})

const torrentName = (filename: string | undefined): string =>
  singleLine((filename ?? "").split(/[/\\]/).at(-1) ?? "", 1, 255) ?? "torrent"
