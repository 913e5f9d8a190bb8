import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { PreconditionFailed, RangeNotSatisfiable } from "@kinora/domain/errors/RequestErrors"
import type { FileNotFound } from "@kinora/domain/errors/VideoErrors"
import { makeBufferPool } from "./BufferPool.ts"
import { directBody, directResponse } from "./DirectBody.ts"
import { type FileHandle, makeFileHandles } from "./FileHandles.ts"
import { decide, type DescribedFile } from "./FileDecision.ts"
import { pump } from "./FilePump.ts"
import type { Pace } from "./Pace.ts"

/** Values of `cache-control` for files. */
export const cachePolicies = {
  /** Public files whose name changes with their content. */
  immutable: "public, max-age=31536000, immutable",
  /** Public files that are replaced under the same name. */
  revalidate: "public, max-age=0, must-revalidate",
  /** Everything that not everybody may read. */
  private: "private, no-store"
} as const

/** A local file as it is to be served. The path is made by us: it is not checked against any folder here. */
export interface ServedFile extends DescribedFile {
  readonly path: string
  /** Absent: as fast as the client takes it. */
  readonly pace?: Pace | undefined
}

/** Open files that are kept at most while nobody reads them. */
const maxOpenFiles = 256

/**
 * Serves local files with ranges and conditions (RFC 9110, sections 13 and 14), from open descriptors and pooled
 * buffers. `forget` belongs to every removal or replacement of a file.
 */
export class ByteServing extends Context.Service<
  ByteServing,
  {
    serve(
      request: HttpServerRequest,
      file: ServedFile
    ): Effect.Effect<HttpServerResponse.HttpServerResponse, FileNotFound | RangeNotSatisfiable | PreconditionFailed>
    readonly forget: (path: string) => void
    /** Every file is looked for anew: some of them were removed. */
    readonly forgetAll: () => void
    /** Descriptors and large buffers in use, for tests and metrics. */
    readonly usage: () => { readonly files: number; readonly buffers: number }
  }
>()("@kinora/node/http/ByteServing") {
  static readonly layer = Layer.effect(
    ByteServing,
    Effect.gen(function* () {
      const handles = makeFileHandles(maxOpenFiles)
      const pool = makeBufferPool()
      yield* Effect.addFinalizer(() => Effect.sync(handles.closeAll))

      const respond = (request: HttpServerRequest, file: ServedFile, handle: FileHandle) => {
        const decided = decide(request, file, handle)
        // The pump takes the handle again: an answer that is never sent must not keep it.
        handles.release(handle)
        if (decided._tag === "Refused") return Effect.fail(decided.error)
        if (decided._tag === "Empty") return Effect.succeed(decided.response)
        const body = directBody(decided.bytes, (response) =>
          pump(response, handle, decided.pieces, pool, handles, file.pace)
        )
        return Effect.succeed(directResponse(body, decided))
      }

      return ByteServing.of({
        serve: (request, file) =>
          Effect.flatMap(handles.acquire(file.path), (handle) => respond(request, file, handle)),
        forget: handles.forget,
        forgetAll: handles.forgetAll,
        usage: () => ({ files: handles.openCount(), buffers: pool.out() })
      })
    })
  )
}
