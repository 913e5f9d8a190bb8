import { Schema } from "effect"
import { field, optional } from "../fields/Field.ts"
import { boolean } from "../fields/Readers.ts"
import { rowId } from "./UserFields.ts"
import { videoFields } from "./VideoFields.ts"

/** Path of a user's archives. */
export const archivesParams = { userId: field(rowId("a user")) }

/** Path of one archive. */
export const userExportParams = { ...archivesParams, id: field(rowId("an export")) }

/** Body of `POST /users/{userId}/exports/request` (contract: UserExportRequest). */
export const UserExportRequest = Schema.Struct({ withVideoFiles: optional(boolean({ default: false })) })

/** Body that announces the archive of an import (contract: UserImportResumable). */
const ArchiveAnnouncement = Schema.Struct({ filename: optional(videoFields.filename) })
export const decodeArchiveAnnouncement = Schema.decodeUnknownEffect(ArchiveAnnouncement, { errors: "all" })
