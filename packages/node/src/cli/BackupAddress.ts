import { Effect } from "effect"
import { existsSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { BackupProblem, manifestName } from "../instance/backup/BackupFormat.ts"
import { folderPlace } from "../instance/backup/BackupPlace.ts"
import { folderSource, repositorySource } from "../instance/backup/BackupSource.ts"
import { openRepository } from "../instance/backup/Repository.ts"
import { makeS3Place, type S3Address, s3AddressOf } from "../instance/backup/S3Place.ts"

/** What was written on the command line: a part of a bucket, or a folder. */
export type BackupAddress = ({ readonly _tag: "S3" } & S3Address) | { readonly _tag: "Folder"; readonly path: string }

export const readAddress = Effect.fnUntraced(function* (text: string): Effect.fn.Return<BackupAddress, BackupProblem> {
  if (!text.startsWith("s3:")) return { _tag: "Folder", path: resolve(text) }
  const address = s3AddressOf(text)
  if (address !== undefined) return { _tag: "S3", ...address }
  return yield* new BackupProblem({ message: `${text} is not an address of the form s3://bucket/prefix.` })
})

/** The place in which backups lie, and the name of one: the last part of its address. */
const placeAndName = Effect.fnUntraced(function* (address: BackupAddress) {
  if (address._tag === "Folder") return { place: folderPlace(dirname(address.path)), name: basename(address.path) }
  const segments = address.prefix.split("/").filter((segment) => segment !== "")
  const name = segments.pop() ?? ""
  const prefix = segments.map((segment) => `${segment}/`).join("")
  return { place: yield* makeS3Place({ bucket: address.bucket, prefix }), name }
})

/** The whole backup at an address: of files under their own names, or of format 2. */
export const openSource = Effect.fn("openSource")(function* (text: string) {
  const address = yield* readAddress(text)
  if (address._tag === "Folder" && existsSync(join(address.path, manifestName)))
    return yield* folderSource(address.path)
  const { name, place } = yield* placeAndName(address)
  if (address._tag === "Folder" && !existsSync(address.path)) {
    return yield* new BackupProblem({ message: `${address.path} does not exist.` })
  }
  // A folder without a manifest that is beside no encrypted ones says so itself.
  const repository = yield* openRepository(place)
  const found = yield* repository.find(name)
  if (found !== undefined) return yield* repositorySource(repository, found)
  return yield* new BackupProblem({
    message: `${text} is no whole backup: it has no manifest. \`kinora backup list ${place.address}\` lists those that are.`
  })
})
