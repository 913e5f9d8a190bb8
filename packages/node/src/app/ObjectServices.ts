import { Removals } from "@kinora/storage/platform/objects/Removals"
import { Layer } from "effect"
import { objectFolders } from "../platform/folders/ObjectFolders.ts"

/** The object store and the removals that wait in the database. */
export const ObjectServices = Removals.layer.pipe(Layer.provideMerge(objectFolders))
