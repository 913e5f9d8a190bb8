import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import type { ObjectStore, S3Place } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { DescribedFile } from "../../platform/http/FileDecision.ts"
import type { Pace } from "../../platform/http/Pace.ts"
import { streamFile } from "../../platform/http/StreamedFile.ts"

/** How long a browser goes straight to the object storage before it asks here again. */
export const redirectSeconds = 300

/** How long a signed address opens: long enough to begin, which is all that is checked. */
const signedSeconds = 600

/** Playlists are answered here: what they refer to may be elsewhere, each file for itself. */
const isPlaylist = ({ name }: ObjectKey): boolean => name.endsWith(".m3u8")

const redirect = (url: string, cacheControl: string) =>
  HttpServerResponse.redirect(url, { status: 302, headers: { "cache-control": cacheControl } })

export interface S3File extends DescribedFile {
  readonly pace?: Pace | undefined
  /** Whether files that are not public pass through the node, instead of being opened by a signed address. */
  readonly proxied: boolean
}

/**
 * Answers with an object in object storage. Readers are sent to it where they may read it there, so that its bytes take
 * one way; others pass through here, range by range.
 */
export const serveS3 = (
  objects: ObjectStore["Service"],
  request: HttpServerRequest,
  key: ObjectKey,
  place: S3Place,
  file: S3File
): Effect.Effect<HttpServerResponse.HttpServerResponse, RangeNotSatisfiable | PreconditionFailed> => {
  const { cacheControl, contentDisposition, contentType, proxied } = file
  if (!isPlaylist(key)) {
    if (place.publicUrl !== undefined && contentDisposition === undefined) {
      return Effect.succeed(redirect(place.publicUrl, `public, max-age=${redirectSeconds}`))
    }
    if (place.publicUrl !== undefined || !proxied) {
      const as = { contentType, cacheControl, ...(contentDisposition === undefined ? {} : { contentDisposition }) }
      return Effect.map(place.sign(signedSeconds, as), (url) => redirect(url, "private, no-store"))
    }
  }
  return streamFile(request, {
    ...file,
    size: place.size,
    modifiedAt: place.modifiedAt,
    etag: place.etag,
    read: (range) => objects.openRead(key, range)
  })
}
