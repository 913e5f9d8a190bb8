import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import type { ObjectStore, S3Place } from "@kinora/storage/platform/objects/ObjectStore"
import { Effect, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { ByteRange } from "../../platform/http/ByteRanges.ts"
import type { DescribedFile } from "../../platform/http/FileDecision.ts"
import type { Pace } from "../../platform/http/Pace.ts"
import { streamFile } from "../../platform/http/StreamedFile.ts"

/** How long a browser goes straight to the object storage before it asks here again. */
const redirectSeconds = 300

/** How long a signed address opens: long enough to begin, which is all that is checked. */
const signedSeconds = 600

/** Playlists are answered here: what they refer to may be elsewhere, each file for itself. */
const isPlaylist = ({ name }: ObjectKey): boolean => name.endsWith(".m3u8")

/**
 * Whether the client asks for the object itself, wherever it is: pages of other Kinora instances do, whose content security policy
 * has stopped a redirect to a storage that they did not know of.
 */
const refusesRedirects = ({ url }: HttpServerRequest): boolean => /[?&]redirect=false(?:&|$)/.test(url)

const redirect = (url: string, cacheControl: string) =>
  HttpServerResponse.redirect(url, {
    status: 302,
    headers: { "cache-control": cacheControl }
  })

export interface S3File extends DescribedFile {
  readonly pace?: Pace | undefined
  /** Whether files that are not public pass through the node, instead of being opened by a signed address. */
  readonly proxied: boolean
  /** Nobody is sent elsewhere: for clients that follow no redirects. */
  readonly here?: boolean
}

/**
 * Answers with an object in object storage. Readers are sent to it where they may read it there, so that its bytes take
 * one way; others pass through here, range by range.
 */
export const serveS3 = Effect.fnUntraced(function* (
  objects: ObjectStore["Service"],
  request: HttpServerRequest,
  key: ObjectKey,
  place: S3Place,
  file: S3File
): Effect.fn.Return<
  HttpServerResponse.HttpServerResponse,
  FileNotFound | RangeNotSatisfiable | PreconditionFailed,
  Scope.Scope
> {
  const { cacheControl, contentDisposition, contentType, here = false, proxied } = file
  if (!here && !isPlaylist(key) && !refusesRedirects(request)) {
    if (place.publicUrl !== undefined && contentDisposition === undefined) {
      return redirect(place.publicUrl, `public, max-age=${redirectSeconds}`)
    }
    if (place.publicUrl !== undefined || !proxied) {
      const as = { contentType, cacheControl, ...(contentDisposition === undefined ? {} : { contentDisposition }) }
      return redirect(yield* place.sign(signedSeconds, as), "private, no-store")
    }
  }
  const { etag, modifiedAt, size } = place
  const read = (range: ByteRange) => objects.openRead(key, range)
  return yield* Effect.catchTag(streamFile(request, { ...file, etag, modifiedAt, size, read }), "ObjectNotFound", () =>
    Effect.fail(new FileNotFound())
  )
})
