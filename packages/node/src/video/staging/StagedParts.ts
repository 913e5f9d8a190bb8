import type { DatabaseUnavailable, InsufficientStorage } from "@kinora/domain/errors/ServiceErrors"
import { UploadConflict } from "@kinora/domain/errors/UploadErrors"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { stagedObject, UploadObjects } from "@kinora/storage/video/upload/UploadObjects"
import { Context, Effect, Exit, Layer, Scope, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { rm, stat } from "node:fs/promises"
import { basename } from "node:path"
import { onDisk, openUploadFile, type UploadFile } from "../../platform/body/UploadFile.ts"
import { UploadDisk } from "./UploadDisk.ts"

/** A file that is kept in parts, each an object. What is durable is in parts that were added. */
export interface StagedFile extends Omit<UploadFile, "flush"> {
  /** Makes everything written a part. Fails where another request has taken the upload meanwhile. */
  readonly flush: Effect.Effect<void, InsufficientStorage | DatabaseUnavailable | UploadConflict>
}

/** Unfinished uploads in object storage: any node can go on with them, whichever received what there is. */
export class StagedParts extends Context.Service<
  StagedParts,
  {
    /** Bytes that have arrived, on any node. */
    readonly size: (id: string) => Effect.Effect<number, DatabaseUnavailable>
    /** Opens an upload to append at `offset`, for the request `holder`. */
    readonly open: (id: string, offset: number, holder: string) => Effect.Effect<StagedFile, never, Scope.Scope>
    /** Puts the whole file where the upload's file lies on this node's disk. */
    readonly assemble: (id: string) => Effect.Effect<void, InsufficientStorage | DatabaseUnavailable>
    /** Puts a file beside an upload, such as `picture-1.jpg`, into object storage as well. */
    readonly putBesides: (id: string, name: string) => Effect.Effect<void, InsufficientStorage | DatabaseUnavailable>
    /** Brings it to this node's disk, if it is not there. */
    readonly bringBesides: (id: string, name: string) => Effect.Effect<void, InsufficientStorage>
    /** Lets go of all that is in object storage of an upload. */
    readonly drop: (id: string) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/uploads/StagedParts") {
  static readonly layer = Layer.effect(
    StagedParts,
    Effect.gen(function* () {
      const disk = yield* UploadDisk
      const objects = yield* ObjectStore
      const rows = yield* UploadObjects

      const size = (id: string) =>
        Effect.map(rows.parts(id), (parts) => {
          const last = parts.at(-1)
          return last === undefined ? 0 : last.begins + last.size
        })

      /** A local file for the bytes of the next part, in a scope of its own. */
      const openPart = Effect.fnUntraced(function* (id: string) {
        const scope = yield* Scope.make()
        const path = disk.besides(id, `part-${randomUUID()}`)
        yield* Scope.addFinalizer(
          scope,
          Effect.promise(() => rm(path, { force: true }))
        )
        const file = yield* Scope.provide(openUploadFile(path, 0), scope)
        return { path, file, close: Scope.close(scope, Exit.void) }
      })

      const open = Effect.fnUntraced(function* (id: string, offset: number, holder: string) {
        let begins = offset
        let part: Effect.Success<ReturnType<typeof openPart>> | undefined
        yield* Effect.addFinalizer(() => Effect.suspend(() => part?.close ?? Effect.void))

        const flush = Effect.fnUntraced(function* () {
          const full = part
          if (full === undefined || full.file.position === 0) return
          part = undefined
          const bytes = full.file.position
          const name = `${id}-${begins}-${randomUUID().slice(0, 8)}`
          const store = Effect.gen(function* () {
            yield* full.file.flush
            yield* rows.intend(name)
            yield* objects.put(stagedObject(name), full.path)
            if (!(yield* rows.addPart(id, { name, begins, size: bytes }, holder))) {
              return yield* new UploadConflict({ reason: "Another request took this upload over" })
            }
          })
          yield* Effect.ensuring(store, full.close)
          begins += bytes
        }, Effect.uninterruptible)

        return {
          get position() {
            return begins + (part?.file.position ?? 0)
          },
          write: Effect.fnUntraced(function* (chunk: Uint8Array) {
            part ??= yield* openPart(id)
            yield* part.file.write(chunk)
          }),
          flush: Effect.suspend(flush)
        } satisfies StagedFile
      })

      const assemble = Effect.fn("StagedParts.assemble")(function* (id: string) {
        const parts = yield* rows.parts(id)
        const file = yield* openUploadFile(disk.path(id), 0)
        for (const { name } of parts) {
          yield* Stream.runForEach(objects.openRead(stagedObject(name)), file.write).pipe(
            Effect.catchTag("ObjectNotFound", Effect.die)
          )
        }
        yield* file.flush
      }, Effect.scoped)

      const putBesides = Effect.fn("StagedParts.putBesides")(function* (id: string, name: string) {
        const path = disk.besides(id, name)
        const bytes = yield* onDisk(() => stat(path))
        const object = basename(path)
        yield* rows.intend(object)
        yield* objects.put(stagedObject(object), path)
        yield* rows.addPicture(id, object, bytes.size)
      })

      const bringBesides = Effect.fn("StagedParts.bringBesides")(function* (id: string, name: string) {
        const path = disk.besides(id, name)
        const isHere = yield* Effect.promise(() =>
          stat(path).then(
            () => true,
            () => false
          )
        )
        if (isHere) return
        const file = yield* openUploadFile(path, 0)
        yield* Stream.runForEach(objects.openRead(stagedObject(basename(path))), file.write).pipe(
          Effect.catchTag("ObjectNotFound", Effect.die)
        )
      }, Effect.scoped)

      return StagedParts.of({ size, open, assemble, putBesides, bringBesides, drop: rows.drop })
    })
  )
}
